package dev.queenmq.server.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds the statements of an SQL text that read or write a sharded table without naming one shard.
 *
 * <p>Works on tokens, not on a grammar. A query block is what stands between two parentheses, or
 * between them and a set operator. Each sharded table of a block needs {@code alias.shard =} with a
 * parameter, a variable, a number or the shard of another table; an insert needs the column in its
 * list, or the shard as its first value.
 */
final class SqlStatements {
  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\\n]*|/\\*(?s:.*?)\\*/|'(?:[^']|'')*'|\\$[0-9]+|\\$[a-zA-Z_]*\\$|\"[^\"]+\""
              + "|[a-zA-Z_][a-zA-Z_0-9$]*|[0-9]+|:=|::|<>|<=|>=|=>|[^\\s]");
  private static final Set<String> BEFORE_A_TABLE =
      Set.of("from", "join", "update", "into", "using", "only", ",");
  private static final Set<String> NO_ALIAS =
      Set.of(
          "where",
          "set",
          "join",
          "left",
          "cross",
          "inner",
          "right",
          "full",
          "on",
          "order",
          "group",
          "limit",
          "offset",
          "for",
          "using",
          "returning",
          "values",
          "select",
          "union",
          "having",
          "loop",
          "except",
          "intersect",
          "do",
          "then",
          "with",
          "into",
          "from");
  private static final Set<String> ENDS_A_BLOCK = Set.of("union", "except", "intersect", ";");
  private static final Set<String> CALCULATES = Set.of("+", "-", "*", "/", "%", "|");

  private final String file;
  private final Set<String> shardedTables;
  private final List<String> tokens = new ArrayList<>();

  SqlStatements(String file, String sql, Set<String> shardedTables) {
    this.file = file;
    this.shardedTables = shardedTables;
    Matcher matcher = TOKEN.matcher(sql);
    while (matcher.find()) {
      String token = matcher.group();
      if (!token.startsWith("--") && !token.startsWith("/*")) {
        tokens.add(token.startsWith("'") ? "'" : token.toLowerCase(Locale.ROOT));
      }
    }
  }

  /** One line for each table that is used without its shard: {@code file: table alias}. */
  List<String> withoutShard() {
    List<String> found = new ArrayList<>();
    for (int i = 0; i + 3 < tokens.size(); i++) {
      if (isTable(i)) {
        String table = tokens.get(i + 2);
        if (i > 0 && tokens.get(i - 1).equals("into")) {
          if (!insertsShard(i + 3)) {
            found.add(file + ": insert into " + table);
          }
          continue;
        }
        String alias = alias(i + 3, table);
        if (!namesShard(block(i), alias, table)) {
          found.add(file + ": " + table + (alias.equals(table) ? "" : " " + alias));
        }
      }
    }
    return found;
  }

  /** How many uses of sharded tables the text has. */
  int uses() {
    int uses = 0;
    for (int i = 0; i + 2 < tokens.size(); i++) {
      uses += isTable(i) ? 1 : 0;
    }
    return uses;
  }

  private boolean isTable(int i) {
    return i > 0
        && i + 3 <= tokens.size()
        && tokens.get(i).equals("queen")
        && tokens.get(i + 1).equals(".")
        && shardedTables.contains(tokens.get(i + 2))
        && BEFORE_A_TABLE.contains(tokens.get(i - 1));
  }

  private String alias(int after, String table) {
    int i = after;
    if (i < tokens.size() && tokens.get(i).equals("as")) {
      i++;
    }
    if (i >= tokens.size()
        || NO_ALIAS.contains(tokens.get(i))
        || !Character.isLetter(tokens.get(i).charAt(0))) {
      return table;
    }
    return tokens.get(i);
  }

  /** {@code (shard, ...)}, or {@code select p_shard, ...} without a list of columns. */
  private boolean insertsShard(int after) {
    int i = after;
    if (tokens.get(i).equals("as")) {
      i += 2;
    }
    return tokens.get(i).equals("(")
        ? tokens.get(i + 1).equals("shard")
        : tokens.get(i).equals("select") && isOneShard(i + 1, "");
  }

  /** The tokens of the query block around a table, without what stands in deeper parentheses. */
  private List<Integer> block(int table) {
    Deque<Integer> before = new ArrayDeque<>();
    int depth = 0;
    for (int i = table - 1; i >= 0; i--) {
      String token = tokens.get(i);
      if (token.equals(")")) {
        depth++;
      } else if (token.equals("(")) {
        if (depth-- == 0) {
          break;
        }
      } else if (depth == 0) {
        if (ENDS_A_BLOCK.contains(token)) {
          break;
        }
        before.addFirst(i);
      }
    }
    List<Integer> block = new ArrayList<>(before);
    depth = 0;
    for (int i = table; i < tokens.size(); i++) {
      String token = tokens.get(i);
      if (token.equals("(")) {
        depth++;
      } else if (token.equals(")")) {
        if (depth-- == 0) {
          break;
        }
      } else if (depth == 0) {
        if (ENDS_A_BLOCK.contains(token)) {
          break;
        }
        block.add(i);
      }
    }
    return block;
  }

  private boolean namesShard(List<Integer> block, String alias, String table) {
    return new HashSet<>(block)
        .stream()
            .anyMatch(
                i ->
                    tokens.get(i).equals("shard")
                        && (isOf(i, alias)
                            || (alias.equals(table) && !tokens.get(i - 1).equals(".")))
                        && (equalsOneShard(i, alias) || isEqualToOneShard(i, alias)));
  }

  private boolean isOf(int shard, String alias) {
    return tokens.get(shard - 1).equals(".") && tokens.get(shard - 2).equals(alias);
  }

  private boolean equalsOneShard(int shard, String alias) {
    return tokens.get(shard + 1).equals("=") && isOneShard(shard + 2, alias);
  }

  /** The other way round: {@code other.shard = alias.shard}. */
  private boolean isEqualToOneShard(int shard, String alias) {
    int equals = shard - (tokens.get(shard - 1).equals(".") ? 3 : 1);
    return equals > 2
        && tokens.get(equals).equals("=")
        && tokens.get(equals - 1).equals("shard")
        && tokens.get(equals - 2).equals(".")
        && !tokens.get(equals - 3).equals(alias)
        && !CALCULATES.contains(tokens.get(shard + 1));
  }

  private boolean isOneShard(int i, String alias) {
    String token = tokens.get(i);
    int next = i + 1;
    boolean one;
    if (i + 2 < tokens.size() && tokens.get(i + 1).equals(".")) {
      one = tokens.get(i + 2).equals("shard") && !token.equals(alias);
      next = i + 3;
    } else {
      one =
          token.equals("p_shard")
              || token.equals("v_shard")
              || token.startsWith("$")
              || token.chars().allMatch(Character::isDigit);
    }
    return one && (next >= tokens.size() || !CALCULATES.contains(tokens.get(next)));
  }
}
