package dev.queenmq.server.architecture;

import static dev.queenmq.server.architecture.Repository.files;
import static dev.queenmq.server.architecture.Repository.read;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every statement names the shard of every sharded table that it uses, by a plain equality: where
 * the tables are spread over several nodes by that column, such a statement goes to one node, and a
 * {@code ctid} means one row. The list of sharded tables is read from the migrations.
 */
class ShardRulesTest {
  private static final Path PROCEDURES = Path.of("src/main/resources/db/procedures");
  private static final Path STATEMENTS = Path.of("src/main/resources/db/statements");
  private static final Path MIGRATIONS = Path.of("src/main/resources/db/migrations");
  private static final Path JAVA = Path.of("src/main/java");

  /** Uses that may do without, each with its reason. None at present. */
  private static final Set<String> EXCEPTIONS = Set.of();

  private static final Pattern TABLE =
      Pattern.compile("(?s)create (?:unlogged )?table queen\\.(\\w+) \\(\\s*(.*?)\\n\\)");
  private static final Pattern SHARD_COLUMN = Pattern.compile("(?m)^\\s*shard\\s+smallint");
  private static final Pattern SHARD_ARITHMETIC = Pattern.compile("\\bshard\\s*[-+*]\\s*\\w");
  private static final Pattern JAVA_STRINGS =
      Pattern.compile(
          "\"\"\"(?s:(.*?))\"\"\"|(\"(?:[^\"\\\\\\n"
              + "]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\\n"
              + "]|\\\\.)*\")*)");
  private static final Pattern BETWEEN_STRINGS = Pattern.compile("\"\\s*\\+\\s*\"");

  @Test
  void procedures_nameTheShardOfEveryShardedTable() {
    Set<String> sharded = shardedTables();
    List<String> found = new ArrayList<>();
    int uses = 0;
    for (Path file : files(PROCEDURES, ".sql")) {
      SqlStatements statements = new SqlStatements(name(file), read(file), sharded);
      uses += statements.uses();
      found.addAll(statements.withoutShard());
    }

    assertThat(found).filteredOn(use -> !EXCEPTIONS.contains(use)).isEmpty();
    assertThat(uses).as("uses that were checked").isGreaterThan(300);
  }

  @Test
  void statements_nameTheShardOfEveryShardedTable() {
    Set<String> sharded = shardedTables();
    assertThat(files(STATEMENTS, ".sql"))
        .isNotEmpty()
        .allSatisfy(
            file -> {
              SqlStatements statements = new SqlStatements(name(file), read(file), sharded);
              assertThat(statements.uses()).isPositive();
              assertThat(statements.withoutShard()).isEmpty();
              assertThat(read(file).replaceAll("--[^\\n]*", ""))
                  .doesNotContainPattern(SHARD_ARITHMETIC);
            });
  }

  @Test
  void java_namesTheShardOfEveryShardedTable() {
    Set<String> sharded = shardedTables();
    List<String> found = new ArrayList<>();
    for (Path file : files(JAVA, ".java")) {
      Matcher strings = JAVA_STRINGS.matcher(read(file));
      while (strings.find()) {
        String sql =
            strings.group(1) != null
                ? strings.group(1)
                : BETWEEN_STRINGS.matcher(strings.group(2)).replaceAll("");
        found.addAll(new SqlStatements(name(file), sql, sharded).withoutShard());
      }
    }

    assertThat(found).filteredOn(use -> !EXCEPTIONS.contains(use)).isEmpty();
  }

  @Test
  void procedures_doNotCalculateWithTheShard() {
    assertThat(files(PROCEDURES, ".sql"))
        .allSatisfy(
            file ->
                assertThat(read(file).replaceAll("--[^\\n]*", ""))
                    .as(name(file))
                    .doesNotContainPattern(SHARD_ARITHMETIC));
  }

  @Test
  void shardedTables_areThoseOfTheStore() {
    assertThat(shardedTables())
        .contains("partitions", "segments", "cursors", "leases", "tail", "dead_letters", "traces")
        .doesNotContain("queues", "upkeep_leases");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1 from queen.cursors c where c.ctid = v_row;",
        "update queen.cursors c set committed = 1 where c.ctid = any (v_rows);",
        "delete from queen.cursors where partition_id = p_id;",
        "delete from queen.cursors c where c.shard + 0 = p_shard;",
        "select 1 from queen.cursors c where c.shard = c.shard;",
        "select 1 from queen.cursors c where c.shard = p_shard + 1;",
        "select 1 from queen.cursors c where exists (select from queen.segments c where c.shard ="
            + " p_shard);",
        "select 1 from queen.cursors c where c.shard = p_shard union all select 2 from"
            + " queen.cursors c;",
        "select 1 from queen.partitions p join queen.cursors c on c.partition_id = p.id where"
            + " p.shard = $1;",
        "insert into queen.cursors (partition_id) values (v_id);",
        "insert into queen.cursors select v_id;",
        "insert into queen.tail (shard) select c.shard from queen.cursors c;",
      })
  void statementsWithoutShard_areFound(String sql) {
    assertThat(new SqlStatements("here", sql, shardedTables()).withoutShard()).hasSize(1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select 1 from queen.cursors c where c.shard = p_shard and c.ctid = v_row;",
        "select 1 from queen.cursors as c where c.shard = $1;",
        "delete from queen.cursors where shard = 0;",
        "select 1 from queen.partitions p join queen.cursors c on c.shard = p.shard where p.shard ="
            + " p_shard;",
        "select 1 from queen.partitions p join queen.cursors c on p.shard = c.shard where p.shard ="
            + " p_shard;",
        "select 1 from queen.queues q where q.name = 'from queen.cursors c';",
        "insert into queen.cursors as c (shard, partition_id) values (p_shard, v_id);",
        "insert into queen.segments select p_shard, v_id;",
      })
  void statementsWithShard_pass(String sql) {
    assertThat(new SqlStatements("here", sql, shardedTables()).withoutShard()).isEmpty();
  }

  private static Set<String> shardedTables() {
    Set<String> tables = new HashSet<>();
    for (Path file : files(MIGRATIONS, ".sql")) {
      Matcher table = TABLE.matcher(read(file));
      while (table.find()) {
        if (SHARD_COLUMN.matcher(table.group(2)).find()) {
          tables.add(table.group(1));
        }
      }
    }
    return tables;
  }

  private static String name(Path file) {
    return String.valueOf(file.getFileName());
  }
}
