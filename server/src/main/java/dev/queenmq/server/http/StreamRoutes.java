package dev.queenmq.server.http;

import com.fasterxml.jackson.core.JsonFactory;
import dev.queenmq.server.auth.Access;
import dev.queenmq.server.http.Uploads.Size;
import dev.queenmq.server.memory.AnswerMemory;
import dev.queenmq.server.memory.AnswerMemory.Room;
import dev.queenmq.server.memory.HeldMemory;
import dev.queenmq.server.sidecar.Streams;
import dev.queenmq.server.store.CycleOutcome;
import dev.queenmq.server.store.MessageIds;
import dev.queenmq.server.store.Problem;
import dev.queenmq.server.store.StatePage;
import dev.queenmq.server.store.StreamQuery;
import dev.queenmq.server.store.StreamRegistration;
import io.vertx.core.Future;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServerRequest;
import java.util.List;
import java.util.function.BiFunction;

/** What stream processors ask for. Safe for any event loop. */
public final class StreamRoutes {
  private record Answer(int status, Buffer body, HeldMemory memory) {
    Answer(int status, Buffer body) {
      this(status, body, HeldMemory.NONE);
    }
  }

  private final Streams streams;
  private final StreamQueryCodec queries;
  private final CycleCodec cycles;
  private final StateCodec states;
  private final Uploads uploads;
  private final ObjectBounds bounds;
  private final AnswerMemory memory;

  /** In front of a broker. */
  public StreamRoutes(
      Streams streams,
      MessageIds ids,
      HttpLimits limits,
      Uploads uploads,
      ObjectBounds bounds,
      AnswerMemory memory) {
    JsonFactory factory = JsonInput.factory(limits.maxDepth());
    ItemList list = new ItemList(limits.maxItems());
    this.streams = streams;
    queries = new StreamQueryCodec(factory);
    cycles = new CycleCodec(factory, list, ids);
    states = new StateCodec(factory, list, limits);
    this.uploads = uploads;
    this.bounds = bounds;
    this.memory = memory;
  }

  /** The routes, for a {@link RouteTable}. */
  public List<Route> routes() {
    return List.of(
        post("/streams/v1/queries", Size.FEW, Access.MANAGE, this::register),
        post("/streams/v1/cycle", Size.MANY, Access.PROCESS, this::cycle),
        post("/streams/v1/state/get", Size.SOME, Access.READ, this::state));
  }

  private Route post(
      String template, Size size, Access access, BiFunction<Body, Call, Future<Answer>> operation) {
    return Route.calling(
        HttpMethod.POST,
        template,
        access,
        QueueScope.HANDLER,
        (request, path, call) ->
            uploads.handleUntilDone(
                request, size, body -> reply(request, operation.apply(body, call))));
  }

  private static Future<Answer> reply(HttpServerRequest request, Future<Answer> answer) {
    return answer
        .onSuccess(
            done -> {
              if (request.response().closed()) {
                done.memory().release();
              } else {
                JsonReply.end(request, done.status(), done.body())
                    .onComplete(written -> done.memory().release());
              }
            })
        .onFailure(failure -> AdminReply.failed(request, failure));
  }

  private Future<Answer> register(Body body, Call call) {
    StreamQuery query = queries.read(body);
    call.note("name", query.name());
    call.note("source_queue", query.sourceQueue());
    query.sinkQueue().ifPresent(sink -> call.note("sink_queue", sink));
    call.note("reset", String.valueOf(query.reset()));
    call.reach(query.sourceQueue());
    query.sinkQueue().ifPresent(call::reach);
    return call.reachStream(query.name())
        .compose(reached -> streams.register(query))
        .map(
            outcome -> {
              if (outcome instanceof StreamRegistration.Registered registered) {
                return new Answer(200, StreamQueryCodec.registered(query, registered));
              } else if (outcome instanceof StreamRegistration.Mismatch mismatch) {
                return new Answer(409, StreamQueryCodec.mismatch(query, mismatch.id()));
              }
              return rejected(((StreamRegistration.Rejected) outcome).problem());
            });
  }

  private Future<Answer> cycle(Body body, Call call) {
    CycleRequest request = cycles.read(body, call.producer());
    if (request instanceof CycleRequest.Hopeless hopeless) {
      return Future.succeededFuture(new Answer(200, CycleAnswer.hopeless(hopeless)));
    }
    CycleRequest.Sent sent = (CycleRequest.Sent) request;
    sent.cycle().messages().forEach(message -> call.reach(message.queue()));
    return call.reachPartitions(List.of(sent.cycle().partitionId()))
        .compose(reached -> call.reachQuery(sent.cycle().queryId()))
        .compose(reached -> bounds.check(sent.cycle().messages(), call.producer()))
        .compose(free -> streams.cycle(sent.cycle()))
        .map(
            outcome ->
                outcome instanceof CycleOutcome.Rejected refused
                    ? rejected(refused.problem())
                    : new Answer(
                        CycleAnswer.status(outcome), CycleAnswer.write(sent.cycle(), outcome)));
  }

  private Future<Answer> state(Body body, Call call) {
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

  private static Answer rejected(Problem problem) {
    return new Answer(400, ErrorBody.of(problem.text()));
  }
}
