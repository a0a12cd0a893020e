package dev.queenmq.bench.compare;

import dev.queenmq.bench.BenchPostgres;
import dev.queenmq.bench.Blocking;
import dev.queenmq.bench.StoreConnection;
import dev.queenmq.bench.broker.ProcessTree;
import dev.queenmq.bench.http.Connections;
import dev.queenmq.bench.http.Demand;
import dev.queenmq.bench.http.MessageConsumer;
import dev.queenmq.bench.http.MessageMaker;
import dev.queenmq.bench.http.MessageProducer;
import dev.queenmq.bench.store.RowTable;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.pgclient.PgConnection;
import io.vertx.sqlclient.Row;
import io.vertx.sqlclient.RowSet;
import io.vertx.sqlclient.Tuple;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;

/**
 * The queue that many write by hand: a table, a row per message, {@code FOR UPDATE SKIP LOCKED}.
 * Clients speak with PostgreSQL themselves. Consumers take the oldest rows of all lanes: the order
 * within a lane is not kept when several of them work. A consumer that finds nothing asks again
 * after 5 ms.
 */
final class SkipLocked implements SystemUnderTest {
  SkipLocked() {}

  @Override
  public String name() {
    return "skip-locked";
  }

  @Override
  public OnDisk onDisk() {
    return OnDisk.YES;
  }

  @Override
  public String setup() {
    return "a row per message on the same PostgreSQL, a session per connection, prepared"
        + " statements; no order within a lane";
  }

  @Override
  public RunningSystem start(StartOptions options) {
    BenchPostgres postgres = BenchPostgres.start(options.postgres(), Map.of());
    Target target = new Target(options, postgres);
    String version =
        postgres
            .database("postgres")
            .text("select 'PostgreSQL ' || current_setting('server_version')");
    return new RunningSystem(version, target, List.of(postgres, target));
  }

  private static final class Target extends PeerTarget {
    private final BenchPostgres postgres;

    Target(StartOptions options, BenchPostgres postgres) {
      super(options, new ProcessTree(List.of(postgres.postmasterPid())));
      this.postgres = postgres;
    }

    private static RowTable table(String queue) {
      return new RowTable("\"" + queue + "\"");
    }

    @Override
    protected void create(String queue, int partitions) {
      postgres.database("postgres").query(table(queue).create());
    }

    @Override
    public void release(String queue) {
      postgres.database("postgres").query("drop table " + table(queue).table());
    }

    @Override
    public Connections connect(int connections) {
      return new Sessions(this, connections);
    }

    @Override
    public Connections connectOnOneLoop(int connections) {
      return connect(connections);
    }

    private PgConnection session() {
      return Blocking.get(
          StoreConnection.connect(
              context().owner(), context(), postgres.database("postgres").options()));
    }
  }

  private static final class Sessions implements Connections {
    private final Target target;
    private final List<PgConnection> sessions;

    Sessions(Target target, int count) {
      this.target = target;
      sessions = Stream.generate(target::session).limit(count).toList();
    }

    @Override
    public Context context(int worker) {
      return target.context();
    }

    @Override
    public MessageProducer producer(int worker, String queue, int partitions) {
      return new Producer(this, worker, queue, target.messages(worker, partitions, false));
    }

    @Override
    public MessageProducer filler(int worker, String queue, int partitions) {
      return new Producer(this, worker, queue, target.messages(worker, partitions, true));
    }

    @Override
    public MessageConsumer consumer(int worker, String queue, Demand demand) {
      return new Consumer(sessions.get(worker), Target.table(queue), demand.batch());
    }

    @Override
    public void close() {
      Blocking.get(Future.join(sessions.stream().map(PgConnection::close).toList()));
    }
  }

  /** Uses its worker's session, and the next ones while that is busy. For one event loop. */
  private static final class Producer implements MessageProducer {
    private final Sessions sessions;
    private final MessageMaker messages;
    private final String insert;
    private final int[] busy;
    private final int first;

    Producer(Sessions sessions, int first, String queue, MessageMaker messages) {
      this.sessions = sessions;
      this.messages = messages;
      this.first = first;
      insert = Target.table(queue).insert();
      busy = new int[sessions.sessions.size()];
    }

    @Override
    public Future<Integer> push(int batch, long number) {
      int session = idlest();
      busy[session]++;
      return sessions
          .sessions
          .get(session)
          .preparedQuery(insert)
          .execute(rows(batch, number))
          .map(
              stored -> {
                if (stored.rowCount() != batch) {
                  throw new IllegalStateException("stored only " + stored.rowCount());
                }
                return batch;
              })
          .onComplete(answered -> busy[session]--);
    }

    private int idlest() {
      int best = first;
      for (int i = 1; i < busy.length && busy[best] > 0; i++) {
        int next = (first + i) % busy.length;
        if (busy[next] < busy[best]) {
          best = next;
        }
      }
      return best;
    }

    private Tuple rows(int batch, long number) {
      UUID[] ids = new UUID[batch];
      UUID[] lanes = new UUID[batch];
      String[] transactions = new String[batch];
      String[] payloads = new String[batch];
      UUID lane = new UUID(0, messages.partition());
      for (int i = 0; i < batch; i++) {
        UUID id = messages.id();
        ids[i] = id;
        lanes[i] = lane;
        transactions[i] = id.toString();
        payloads[i] = messages.payload(number).toString();
      }
      return Tuple.tuple()
          .addArrayOfUUID(ids)
          .addArrayOfUUID(lanes)
          .addArrayOfString(transactions)
          .addArrayOfString(payloads);
    }
  }

  private static final class Consumer implements MessageConsumer {
    private final PgConnection session;
    private final RowTable table;
    private final int batch;
    private Long[] taken = {};

    Consumer(PgConnection session, RowTable table, int batch) {
      this.session = session;
      this.table = table;
      this.batch = batch;
    }

    @Override
    public Future<long[]> take() {
      return session.preparedQuery(table.pop()).execute(Tuple.of(batch)).map(this::read);
    }

    private long[] read(RowSet<Row> rows) {
      taken = new Long[rows.size()];
      long[] numbers = new long[rows.size()];
      int next = 0;
      for (Row row : rows) {
        taken[next] = row.getLong(0);
        numbers[next] = MessageMaker.number(row.getString(4).getBytes(StandardCharsets.ISO_8859_1));
        next++;
      }
      return numbers;
    }

    @Override
    public Future<Integer> ack() {
      return session
          .preparedQuery(table.ack())
          .execute(Tuple.tuple().addArrayOfLong(taken))
          .map(
              deleted -> {
                if (deleted.rowCount() != taken.length) {
                  throw new IllegalStateException("deleted only " + deleted.rowCount());
                }
                return taken.length;
              });
    }
  }
}
