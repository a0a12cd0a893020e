package dev.queenmq.server.http.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.json.JsonObject;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The files of the dashboard fit together. */
class DashboardFilesTest {
  private static final Path FOLDER = Path.of("src/main/resources/dashboard");
  private static final Pattern IMPORT =
      Pattern.compile("(?:\\bfrom|\\bimport)\\s*[\"']([^\"']+)[\"']");
  private static final Pattern IMPORT_MAP =
      Pattern.compile("<script type=\"importmap\">(.*?)</script>");

  private final DashboardFiles files = new DashboardFiles("1.2.3<x>", true);
  private final String page = files.page().content().toString(StandardCharsets.UTF_8);

  /** What is not listed is not served, and would be missed by a browser only. */
  @Test
  void everyFile_isListed() throws IOException {
    try (Stream<Path> found = Files.walk(FOLDER)) {
      List<String> names =
          found
              .filter(Files::isRegularFile)
              .map(file -> FOLDER.relativize(file).toString())
              .filter(name -> !name.equals("index.html") && !name.endsWith("LICENSE"))
              .sorted()
              .toList();
      assertThat(DashboardFiles.OWN).containsExactlyElementsOf(names);
    }
  }

  /** As a browser would find them: relative to the module, or by the import map. */
  @Test
  void everyImport_leadsToAFile() {
    Map<String, String> reached = new TreeMap<>();
    follow("app.js", reached);
    assertThat(reached).containsKeys("page-system.js", "lit/index.js", "lit-html/lit-html.js");
  }

  private void follow(String name, Map<String, String> reached) {
    if (reached.containsKey(name)) {
      return;
    }
    assertThat(files.find(name)).as(name).isPresent();
    String text = files.find(name).orElseThrow().content().toString(StandardCharsets.UTF_8);
    reached.put(name, text);
    Matcher imports = IMPORT.matcher(text.replaceAll("(?s)/\\*.*?\\*/", ""));
    while (imports.find()) {
      follow(resolved(name, imports.group(1)), reached);
    }
  }

  private String resolved(String from, String target) {
    if (target.startsWith(".")) {
      return URI.create(from).resolve(target).toString();
    }
    JsonObject known = new JsonObject(importMap()).getJsonObject("imports");
    String base = "/dashboard/" + files.fingerprint() + "/";
    String exact = known.getString(target);
    if (exact != null) {
      return exact.substring(base.length());
    }
    String prefix =
        known.fieldNames().stream()
            .filter(name -> name.endsWith("/") && target.startsWith(name))
            .findFirst()
            .orElseThrow(() -> new AssertionError(from + " imports " + target));
    return known.getString(prefix).substring(base.length()) + target.substring(prefix.length());
  }

  private String importMap() {
    Matcher map = IMPORT_MAP.matcher(page);
    assertThat(map.find()).isTrue();
    return map.group(1);
  }

  @Test
  void thePage_isFilledIn_andItsPolicyNamesTheImportMap() throws NoSuchAlgorithmException {
    byte[] hash =
        MessageDigest.getInstance("SHA-256").digest(importMap().getBytes(StandardCharsets.UTF_8));
    assertThat(page)
        .doesNotContain("{{")
        .contains("data-tokens=\"true\"")
        .contains("data-version=\"1.2.3&lt;x>\"")
        .doesNotContain("style=");
    assertThat(files.policy())
        .contains("'sha256-" + Base64.getEncoder().encodeToString(hash) + "'")
        .contains("default-src 'none'")
        .doesNotContain("unsafe");
  }

  /** So that browsers that keep files for ever see new ones. */
  @Test
  void theFingerprint_isThatOfTheFiles_andThePagesTagThatOfThePage() {
    DashboardFiles other = new DashboardFiles("1.2.4", false);
    assertThat(other.fingerprint()).isEqualTo(files.fingerprint()).matches("[0-9a-f]{16}");
    assertThat(other.pageTag()).isNotEqualTo(files.pageTag());
  }

  @Test
  void noPath_leadsElsewhere() {
    assertThat(files.find("../logback.xml")).isEmpty();
    assertThat(files.find("index.html")).isEmpty();
    assertThat(files.find("")).isEmpty();
  }
}
