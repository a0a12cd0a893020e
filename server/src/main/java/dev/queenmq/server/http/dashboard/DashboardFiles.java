package dev.queenmq.server.http.dashboard;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Everything that the dashboard consists of, read once. Immutable.
 *
 * <p>The files are modules as they were written: there is no build step. Only files that are listed
 * here exist, so no path can lead anywhere else. Their address has a fingerprint of all of them in
 * it: a browser may keep them for ever, and a new release has new addresses. Lit comes from its
 * webjars, and modules find it by the import map of the page, the only script that stands in the
 * page itself; the page's policy names its hash.
 */
final class DashboardFiles {
  static final String ROOT = "/dashboard";
  private static final String FOLDER = "dashboard/";
  private static final String WEBJARS = "META-INF/resources/webjars/";
  private static final int FINGERPRINT_BYTES = 8;

  /** Our own, below {@code dashboard} on the class path. */
  static final List<String> OWN =
      List.of(
          "api.js",
          "app.js",
          "chart.js",
          "dead.js",
          "dialog.js",
          "elements.js",
          "format.js",
          "icon.svg",
          "live.js",
          "options.js",
          "page-dead-letters.js",
          "page-group.js",
          "page-groups.js",
          "page-message.js",
          "page-overview.js",
          "page-queue.js",
          "page-queues.js",
          "page-streams.js",
          "page-system.js",
          "page-traces.js",
          "style.css",
          "theme.js",
          "vendor/uPlot.iife.min.js",
          "vendor/uPlot.min.css");

  /** What we use of Lit: where it is served, and where it is in the webjars. */
  private static final Map<String, String> LIT = lit();

  private static final Map<String, String> IMPORTS =
      Map.of(
          "lit", "lit/index.js",
          "lit/", "lit/",
          "lit-html", "lit-html/lit-html.js",
          "lit-html/", "lit-html/",
          "lit-element/", "lit-element/",
          "@lit/reactive-element", "reactive-element/reactive-element.js");

  private final Map<String, DashboardFile> files = new LinkedHashMap<>();
  private final String fingerprint;
  private final DashboardFile page;
  private final String pageTag;
  private final String policy;

  /**
   * Reads them.
   *
   * @param version what the page says of the broker
   * @param tokens whether the page has to ask for a token
   */
  DashboardFiles(String version, boolean tokens) {
    OWN.forEach(name -> files.put(name, DashboardFile.read(FOLDER + name)));
    LIT.forEach((name, resource) -> files.put(name, DashboardFile.read(WEBJARS + resource)));
    String html =
        DashboardFile.read(FOLDER + "index.html").content().toString(StandardCharsets.UTF_8);
    MessageDigest all = sha256();
    all.update(html.getBytes(StandardCharsets.UTF_8));
    files.forEach(
        (name, file) -> {
          all.update(name.getBytes(StandardCharsets.UTF_8));
          all.update(file.content().getBytes());
        });
    fingerprint = brief(all.digest());
    String base = ROOT + "/" + fingerprint;
    String imports = imports(base);
    page =
        new DashboardFile(
            DashboardFile.type("index.html"),
            Buffer.buffer(
                html.replace("{{base}}", base)
                    .replace("{{importmap}}", imports)
                    .replace("{{tokens}}", String.valueOf(tokens))
                    .replace("{{version}}", escaped(version))));
    pageTag = brief(sha256().digest(page.content().getBytes()));
    policy = policy(imports);
  }

  /** The page at the root. */
  DashboardFile page() {
    return page;
  }

  /** Changes with the page. */
  String pageTag() {
    return pageTag;
  }

  /** What the page allows itself, for the header {@code Content-Security-Policy}. */
  String policy() {
    return policy;
  }

  /** Changes with every file. */
  String fingerprint() {
    return fingerprint;
  }

  /** A file by its path behind the fingerprint. */
  Optional<DashboardFile> find(String path) {
    return Optional.ofNullable(files.get(path));
  }

  private static String brief(byte[] digest) {
    return HexFormat.of().formatHex(digest, 0, FINGERPRINT_BYTES);
  }

  private static String policy(String imports) {
    String hash =
        Base64.getEncoder()
            .encodeToString(sha256().digest(imports.getBytes(StandardCharsets.UTF_8)));
    return String.join(
        "; ",
        "default-src 'none'",
        "script-src 'self' 'sha256-" + hash + "'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types lit-html");
  }

  private static String imports(String base) {
    JsonObject targets = new JsonObject();
    IMPORTS.keySet().stream()
        .sorted()
        .forEach(name -> targets.put(name, base + "/" + IMPORTS.get(name)));
    return new JsonObject().put("imports", targets).encode();
  }

  private static Map<String, String> lit() {
    Map<String, String> all = new LinkedHashMap<>();
    add(all, "lit", "lit/3.3.2", "index.js", "directives/keyed.js");
    add(
        all,
        "lit-html",
        "lit-html/3.3.2",
        "lit-html.js",
        "is-server.js",
        "directive.js",
        "directive-helpers.js",
        "directives/keyed.js");
    add(all, "lit-element", "lit-element/4.2.2", "lit-element.js");
    add(
        all,
        "reactive-element",
        "lit__reactive-element/2.1.2",
        "reactive-element.js",
        "css-tag.js");
    return all;
  }

  private static void add(Map<String, String> all, String name, String folder, String... files) {
    for (String file : files) {
      all.put(name + "/" + file, folder + "/" + file);
    }
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("\"", "&quot;");
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
