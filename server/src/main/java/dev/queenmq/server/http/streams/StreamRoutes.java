package dev.queenmq.server.http.streams;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.broker.Streams;
import dev.queenmq.server.http.json.Body;
import dev.queenmq.server.http.json.HttpProblem;
import dev.queenmq.server.http.json.ItemList;
import dev.queenmq.server.http.json.JsonInput;
import dev.queenmq.server.http.messages.ObjectBounds;
import dev.queenmq.server.http.routing.Answer;
import dev.queenmq.server.http.routing.BodyHandler;
import dev.queenmq.server.http.routing.BodyHandler.Size;
import dev.queenmq.server.http.routing.RequestContext;
import dev.queenmq.server.http.routing.Route;
import dev.queenmq.server.http.routing.RouteTable;
import dev.queenmq.server.http.server.HttpLimits;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.AnswerMemory.Room;
import dev.queenmq.server.model.MessageIds;
import dev.queenmq.server.model.streams.CycleOutcome;
import dev.queenmq.server.model.streams.StatePage;
import dev.queenmq.server.model.streams.StreamQuery;
import dev.queenmq.server.model.streams.StreamRegistration;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import java.util.List;

/** What stream processors ask for. Safe for any event loop. */
public final class StreamRoutes {
  private final Streams streams;
  private final StreamQueryCodec queries;
  private final CycleCodec cycles;
  private final StateCodec states;
  private final BodyHandler bodies;
  private final ObjectBounds bounds;
  private final AnswerMemory memory;

  /** Routes that call a broker. */
  public StreamRoutes(
      Streams streams,
      MessageIds ids,
      HttpLimits limits,
      BodyHandler bodies,
      ObjectBounds bounds,
      AnswerMemory memory) {
    JsonFactory factory = JsonInput.factory(limits.maxDepth());
    ItemList list = new ItemList(limits.maxItems());
    this.streams = streams;
    queries = new StreamQueryCodec(factory);
    cycles = new CycleCodec(factory, list, ids);
    states = new StateCodec(factory, list, limits);
    this.bodies = bodies;
    this.bounds = bounds;
    this.memory = memory;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        bodies.post("/streams/v1/queries", Size.FEW, Access.MANAGE, this::register),
        bodies.post("/streams/v1/cycle", Size.MANY, Access.PROCESS, this::cycle),
        bodies.post("/streams/v1/state/get", Size.SOME, Access.READ, this::state));
  }

  private Future<Answer> register(Body body, RequestContext call) {
    StreamQuery query = queries.read(body);
    call.note("name", query.name());
    call.note("source_queue", query.sourceQueue());
    query.sinkQueue().ifPresent(sink -> call.note("sink_queue", sink));
    call.note("reset", String.valueOf(query.reset()));
    call.requireQueue(query.sourceQueue());
    query.sinkQueue().ifPresent(call::requireQueue);
    return call.reachStream(query.name())
        .compose(reached -> streams.register(query))
        .map(
            outcome -> {
              if (outcome instanceof StreamRegistration.Registered registered) {
                return new Answer(200, StreamQueryCodec.registered(query, registered));
              } else if (outcome instanceof StreamRegistration.Mismatch mismatch) {
                return new Answer(409, StreamQueryCodec.mismatch(query, mismatch.id()));
              }
              return Answer.rejected(((StreamRegistration.Rejected) outcome).problem());
            });
  }

  private Future<Answer> cycle(Body body, RequestContext call) {
    CycleRequest request = cycles.read(body, call.producer());
    if (request instanceof CycleRequest.Unsatisfiable unsatisfiable) {
      return Future.succeededFuture(new Answer(200, CycleAnswer.unsatisfiable(unsatisfiable)));
    }
    CycleRequest.Sent sent = (CycleRequest.Sent) request;
    sent.cycle().messages().forEach(message -> call.requireQueue(message.queue()));
    return call.reachPartitions(List.of(sent.cycle().partitionId()))
        .compose(reached -> call.reachQuery(sent.cycle().queryId()))
        .compose(reached -> bounds.check(sent.cycle().messages(), call.producer()))
        .compose(free -> streams.cycle(sent.cycle()))
        .map(
            outcome ->
                outcome instanceof CycleOutcome.Rejected refused
                    ? Answer.rejected(refused.problem())
                    : new Answer(
                        CycleAnswer.status(outcome), CycleAnswer.write(sent.cycle(), outcome)));
  }

  private Future<Answer> state(Body body, RequestContext call) {
    StateCodec.Question question = states.read(body);
    return call.reachPartitions(List.of(question.read().partitionId()))
        .compose(reached -> call.reachQuery(question.read().queryId()))
        .compose(reached -> state(question, memory.usual(), !question.paged()));
  }

  /**
   * Answers with what fits.
   *
   * @param whole whether to ask again, with more room, if that is not everything
   */
  private Future<Answer> state(StateCodec.Question question, Room room, boolean whole) {
    return streams
        .state(question.read().within(room.bytes()))
        .onFailure(failure -> room.release())
        .compose(
            (StatePage page) -> {
              if (!page.more() || question.paged()) {
                Buffer body = StateCodec.write(page);
                memory.used(body.length());
                return Future.succeededFuture(new Answer(200, body, room.keep(body.length())));
              }
              room.release();
              if (!whole || room.bytes() >= memory.most()) {
                throw HttpProblem.badRequest(
                    "There is more state than one answer may have; ask with limit and after");
              }
              return state(
                  question,
                  memory
                      .exact(memory.most(), memory.most())
                      .orElseThrow(HttpProblem::noMemoryToAnswer),
                  false);
            });
  }
}
