package dev.queenmq.server.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Dependencies point down: http, then the broker's interfaces, sidecar, store; below them the
 * packages that know no other.
 *
 * <p>The table is exact: it lists which package knows which. If you need another arrow, add it here
 * and say why in the commit; remove an arrow that is no longer used. A rule that matches no class
 * fails.
 */
class DependencyRulesTest {

  private static final String ROOT = "dev.queenmq.server";

  /**
   * A package, and the packages of the server that it knows. The root is the wiring: it knows all.
   */
  private static final String TABLE =
"""
admin -> broker encryption metrics model model.admin postgres store.call store.upkeep
admin.history -> admin metrics model.admin store.call
auth -> config config.values
broker -> model model.admin model.streams model.transactions
cluster -> admin broker config config.values model.admin sharedstate sidecar udpsync
config -> config.values text
config.values ->
encryption ->
http.admin -> admin admin.history auth broker encryption http.json http.routing http.server memory metrics model model.admin spool spool.log upkeep
http.dashboard -> auth http.routing
http.json -> text
http.messages -> auth broker config encryption http.json http.routing http.server memory model model.admin model.transactions
http.routing -> admin auth broker http.json memory model model.admin
http.server -> config config.values http.json http.routing logging memory metrics
http.streams -> auth broker http.json http.messages http.routing http.server memory model model.streams
logging -> text
memory ->
metrics -> broker memory spool spool.log text upkeep
migration -> postgres
model -> encryption memory text
model.admin -> model
model.polling ->
model.streams -> model
model.transactions -> model
postgres -> config config.values
sharedstate ->
sidecar -> broker memory model model.admin model.streams model.transactions sidecar.figures sidecar.lane sidecar.polling sidecar.waiting store
sidecar.figures -> broker model model.transactions
sidecar.lane -> broker model model.streams model.transactions sidecar.figures
sidecar.polling -> broker model model.admin model.polling model.streams model.transactions sidecar.figures sidecar.lane sidecar.waiting store store.push
sidecar.waiting -> memory model model.polling
spool -> broker model model.admin model.streams model.transactions spool.log
spool.log -> dev.queenmq.embedded dev.queenmq.embedded.files encryption model
store -> encryption memory model model.admin model.polling model.streams model.transactions store.ack store.call store.deadletters store.groups store.pop store.push store.queues store.recent store.streams
store.ack -> model store.call
store.call -> model model.admin model.streams postgres
store.deadletters -> encryption model model.admin store.call store.push
store.groups -> model model.admin store.call
store.pop -> encryption logging memory model model.polling store.ack store.call store.recent
store.push -> encryption memory model store.ack store.call store.recent
store.queues -> model model.admin store.call store.push
store.recent -> model
store.streams -> model model.streams store.call store.push
store.upkeep -> encryption model.admin store.call
text ->
tracing -> broker config config.values model model.admin model.transactions
udpsync -> logging
upkeep -> model model.admin store.upkeep
""";

  /** The most files of a package that a reader can take in at a glance. */
  private static final int ONE_SCREEN = 40;

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages(ROOT);

  @Test
  void everyPackage_knowsWhatTheTableSays() {
    assertThat(render(actual())).isEqualTo(TABLE);
  }

  @Test
  void packages_haveNoCycles() {
    slices().matching(ROOT + ".(*)..").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packagesBelowPackages_haveNoCycles() {
    slices().matching(ROOT + ".(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void packages_fitOnOneScreen() {
    Map<String, Long> files =
        CLASSES.stream()
            .filter(JavaClass::isTopLevelClass)
            .collect(Collectors.groupingBy(JavaClass::getPackageName, Collectors.counting()));

    assertThat(files).allSatisfy((name, count) -> assertThat(count).isLessThan(ONE_SCREEN));
  }

  @Test
  void noPackage_knowsTheWiring() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".*..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage(ROOT)
        .check(CLASSES);
  }

  @Test
  void http_knowsNeitherTheStoreNorTheSidecar() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".http..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            ROOT + ".store..",
            ROOT + ".sidecar..",
            ROOT + ".migration..",
            ROOT + ".postgres..",
            "dev.queenmq.embedded..",
            "io.vertx.sqlclient..",
            "io.vertx.pgclient..")
        .check(CLASSES);
  }

  @Test
  void noPackage_knowsHttp() {
    noClasses()
        .that()
        .resideOutsideOfPackages(ROOT, ROOT + ".http..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(ROOT + ".http..", "io.vertx.core.http..")
        .check(CLASSES);
  }

  @Test
  void waitingRoom_isAPureStateMachine() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".sidecar.waiting..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.vertx..", "io.netty..", "java.util.concurrent..", "java.time.zone..")
        .orShould()
        .callMethod(System.class, "nanoTime")
        .orShould()
        .callMethod(System.class, "currentTimeMillis")
        .check(CLASSES);
  }

  /** Records, their rules and their JSON: nothing that waits, connects or asks. */
  @Test
  void model_doesNothing() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".model..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "io.vertx.core", "io.vertx.sqlclient..", "io.vertx.pgclient..", "io.netty..")
        .check(CLASSES);
  }

  @Test
  void sharedState_knowsNoNetwork() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".sharedstate..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..", "java.net..")
        .check(CLASSES);
  }

  @Test
  void auth_knowsNoNetwork_andKeepsItsLibraryToItself() {
    noClasses()
        .that()
        .resideInAPackage(ROOT + ".auth..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx..", "io.netty..")
        .check(CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackage(ROOT + ".auth..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.jose4j..")
        .check(CLASSES);
  }

  @Test
  void driver_isUsedWhereSqlLives() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            ROOT, ROOT + ".store..", ROOT + ".admin..", ROOT + ".migration..", ROOT + ".postgres..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient..")
        .check(CLASSES);
  }

  @Test
  void environment_isReadInOnePlace() {
    noClasses()
        .that()
        .doNotHaveFullyQualifiedName(ROOT + ".Main")
        .should()
        .callMethod(System.class, "getenv")
        .orShould()
        .callMethod(System.class, "getenv", String.class)
        .check(CLASSES);
  }

  /** From the classes: which package knows which others, without the root. */
  private static Map<String, Set<String>> actual() {
    Map<String, Set<String>> known = new TreeMap<>();
    for (JavaClass type : CLASSES) {
      String from = type.getPackageName();
      if (from.startsWith(ROOT + ".")) {
        Set<String> others = known.computeIfAbsent(from, each -> new TreeSet<>());
        for (Dependency dependency : type.getDirectDependenciesFromSelf()) {
          String to = dependency.getTargetClass().getBaseComponentType().getPackageName();
          if (to.startsWith("dev.queenmq.") && !to.equals(from)) {
            others.add(to);
          }
        }
      }
    }
    return known;
  }

  private static String render(Map<String, Set<String>> known) {
    StringBuilder text = new StringBuilder();
    known.forEach(
        (from, others) ->
            text.append(shortened(List.of(from)))
                .append(" ->")
                .append(others.isEmpty() ? "" : " " + shortened(others))
                .append('\n'));
    return text.toString();
  }

  private static String shortened(Iterable<String> packages) {
    return String.join(" ", packages).replace(ROOT + ".", "");
  }
}
