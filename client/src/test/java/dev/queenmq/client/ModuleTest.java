package dev.queenmq.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The client as a named module, with nothing beside it but Jackson and SLF4J. */
class ModuleTest {
  private static final List<String> NEEDED =
      List.of("jackson-core", "jackson-databind", "jackson-annotations", "jsr310", "slf4j-api");

  @Test
  void theModule_needsJacksonAndSlf4jAlone() throws Exception {
    Path classes = Path.of("target/classes").toAbsolutePath();
    ModuleFinder finder =
        ModuleFinder.compose(
            ModuleFinder.of(classes),
            ModuleFinder.of(
                Arrays.stream(
                        System.getProperty("java.class.path").split(java.io.File.pathSeparator, -1))
                    .filter(path -> NEEDED.stream().anyMatch(path::contains))
                    .map(Path::of)
                    .toArray(Path[]::new)));
    Configuration resolved =
        ModuleLayer.boot()
            .configuration()
            .resolve(finder, ModuleFinder.of(), Set.of("dev.queenmq.client"));
    ModuleLayer layer =
        ModuleLayer.boot()
            .defineModulesWithOneLoader(resolved, ClassLoader.getPlatformClassLoader());

    Class<?> client = layer.findLoader("dev.queenmq.client").loadClass(QueenClient.class.getName());
    assertThat(client.getModule().isNamed()).isTrue();
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    // As in an application: Jackson looks for its modules by this loader.
    thread.setContextClassLoader(client.getClassLoader());
    try {
      Object built = client.getMethod("connect", String.class).invoke(null, "http://127.0.0.1:1");
      client.getMethod("close").invoke(built);
    } finally {
      thread.setContextClassLoader(before);
    }

    Set<String> optional =
        client.getModule().getDescriptor().requires().stream()
            .filter(each -> each.modifiers().contains(ModuleDescriptor.Requires.Modifier.STATIC))
            .map(ModuleDescriptor.Requires::name)
            .collect(Collectors.toSet());
    assertThat(optional)
        .containsExactlyInAnyOrder(
            "org.jspecify", "micrometer.core", "io.opentelemetry.api", "io.opentelemetry.context");
    assertThat(client.getModule().getDescriptor().exports().stream().map(each -> each.source()))
        .noneMatch(name -> name.contains("internal"));
  }
}
