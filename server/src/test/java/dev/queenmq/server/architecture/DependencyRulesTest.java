package dev.queenmq.server.architecture;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Dependencies point down: http, then sidecar, then store; below them what knows nobody. */
class DependencyRulesTest {

  private static final String ROOT = "dev.queenmq.server.";

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.queenmq.server");

  @Test
  void packages_haveNoCycles() {
    check(slices().matching("dev.queenmq.server.(*)..").should().beFreeOfCycles());
  }

  @Test
  void nobody_knowsTheWiring() {
    check(
        noClasses()
            .that()
            .resideInAPackage("dev.queenmq.server.*..")
            .should()
            .dependOnClassesThat()
            .resideInAPackage("dev.queenmq.server"));
  }

  @Test
  void nobody_knowsHttp() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages("dev.queenmq.server", "dev.queenmq.server.http..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("dev.queenmq.server.http..", "io.vertx.core.http.."));
  }

  @Test
  void http_goesThroughTheSidecar() {
    check(packageMayNotKnow("http", "migration", "embedded", "postgres"));
    // The store's records are the language of the broker; the store itself is not for http.
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "http..")
            .should()
            .dependOnClassesThat()
            .haveFullyQualifiedName(ROOT + "store.MessageStore"));
  }

  @Test
  void store_knowsNothingAboveIt() {
    check(packageMayNotKnow("store", "http", "sidecar", "sharedstate", "upkeep", "admin", "spool"));
  }

  @Test
  void admin_readsForItself() {
    check(mayKnowOnly("admin", "store", "metrics", "encryption"));
  }

  @Test
  void upkeep_worksThroughTheStore() {
    check(mayKnowOnly("upkeep", "store"));
  }

  @Test
  void spool_knowsMessagesAndTheDisk() {
    check(mayKnowOnly("spool", "store", "encryption"));
    check(mayKnowOnly("spooling", "spool", "sidecar", "model", "memory", "store"));
  }

  @Test
  void waitingRoom_isAPureStateMachine() {
    check(mayKnowOnly("sidecar.waiting", "model", "memory", "store"));
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "sidecar.waiting..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(
                "io.vertx..", "io.netty..", "java.util.concurrent..", "java.time.zone..")
            .orShould()
            .callMethod(System.class, "nanoTime")
            .orShould()
            .callMethod(System.class, "currentTimeMillis"));
    check(mayKnowOnly("model", "memory", "store"));
  }

  @Test
  void metrics_areMadeOfFigures() {
    check(mayKnowOnly("metrics", "sidecar", "upkeep", "spool", "spooling", "memory", "text"));
  }

  @Test
  void sharedState_knowsNeitherHttpNorSql() {
    check(mayKnowOnly("sharedstate"));
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "sharedstate..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty..", "java.net.."));
  }

  @Test
  void udpSync_knowsOnlyBytes() {
    check(mayKnowOnly("udpsync"));
  }

  @Test
  void foundations_knowNobodyAboveThem() {
    check(mayKnowOnly("text"));
    check(mayKnowOnly("logging", "text"));
    check(mayKnowOnly("config", "text"));
    check(mayKnowOnly("postgres", "config"));
    check(mayKnowOnly("migration", "postgres", "config"));
    check(mayKnowOnly("embedded"));
    check(mayKnowOnly("encryption"));
    check(mayKnowOnly("memory"));
  }

  @Test
  void auth_knowsNeitherRoutesNorSql() {
    check(mayKnowOnly("auth", "config"));
    check(
        noClasses()
            .that()
            .resideInAPackage(ROOT + "auth..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx..", "io.netty.."));
    check(
        noClasses()
            .that()
            .resideOutsideOfPackage(ROOT + "auth..")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.jose4j.."));
  }

  @Test
  void driver_isUsedWhereSqlLives() {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                ROOT + "store..",
                ROOT + "admin..",
                ROOT + "migration..",
                ROOT + "postgres..",
                "dev.queenmq.server")
            // It asks a server that it has just started what is in force.
            .and()
            .doNotHaveFullyQualifiedName(ROOT + "embedded.ServerCheck")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("io.vertx.sqlclient..", "io.vertx.pgclient.."));
  }

  @Test
  void environment_isReadInOnePlace() {
    check(
        noClasses()
            .that()
            .doNotHaveFullyQualifiedName(ROOT + "Main")
            .should()
            .callMethod(System.class, "getenv")
            .orShould()
            .callMethod(System.class, "getenv", String.class));
  }

  private static ArchRule packageMayNotKnow(String name, String... others) {
    return noClasses()
        .that()
        .resideInAPackage(ROOT + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            Stream.of(others).map(other -> ROOT + other + "..").toArray(String[]::new));
  }

  private static ArchRule mayKnowOnly(String name, String... others) {
    String[] known =
        Stream.concat(Stream.of(name), Stream.of(others))
            .map(other -> ROOT + other + "..")
            .toArray(String[]::new);
    return noClasses()
        .that()
        .resideInAPackage(ROOT + name + "..")
        .should()
        .dependOnClassesThat(
            resideInAPackage("dev.queenmq.server..").and(resideOutsideOfPackages(known)));
  }

  /** Some rules are about packages that are still to come. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(CLASSES);
  }
}
