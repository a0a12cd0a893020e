package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

/** What pages of other origins can do with the dashboard: link to it, and nothing else. */
class ForeignPagesIT extends DashboardTest {

  @Override
  String[] expectedComplaints() {
    return new String[] {
      "status of 403", "status of 404", "ERR_FAILED", "CORS", "frame", "ERR_BLOCKED"
    };
  }

  @Test
  void aForeignPage_canNeitherPushNorReadNorFrame_butLink() throws IOException {
    String queue = fresh("foreign");
    HttpServer server =
        HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    String html =
        """
        <!doctype html><title>Elsewhere</title><body><a href="%1$s/">the dashboard</a>
        <iframe src="%1$s/"></iframe><img src="%1$s/api/v1/pop/queue/orders?autoAck=true">
        <script>
          const said = [];
          const note = (what) => (e) => said.push(what);
          window.done = Promise.allSettled([
            fetch('%1$s/api/v1/push', {method: 'POST', mode: 'no-cors', body: '{"items":[{"queue":"%2$s"}]}'}),
            fetch('%1$s/').then(note('read the page'), () => {}),
            fetch('%1$s/api/v1/dashboard/session').then(note('read the session'), () => {}),
          ]).then(() => said);
        </script>"""
            .formatted(broker.url(), queue);
    server.createContext(
        "/",
        exchange -> {
          byte[] body = html.getBytes(StandardCharsets.UTF_8);
          exchange.getResponseHeaders().add("Content-Type", "text/html");
          exchange.sendResponseHeaders(200, body.length);
          exchange.getResponseBody().write(body);
          exchange.close();
        });
    server.start();
    try {
      browser.enter(ADMIN);
      browser.goElsewhere("http://localhost:" + server.getAddress().getPort() + "/");
      Object said =
          browser.waitForScript("const done = arguments[0]; window.done.then((s) => done(s));");
      assertThat(String.valueOf(said)).isEqualTo("[]");
      assertThat(broker.get("/api/v1/resources/queues/" + queue).getString("error"))
          .isEqualTo("Queue not found");

      browser.click("the dashboard");
      browser.find("queen-app *");
      assertThat(browser.address()).startsWith(broker.url());
    } finally {
      server.stop(0);
    }
  }

  @Test
  void files_areServedForEver_andNothingBesidesThem() {
    HttpResponse<String> page = broker.getPlain("/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.headers().firstValue("content-security-policy").orElse(""))
        .contains("default-src 'none'")
        .contains("script-src 'self' 'sha256-")
        .contains("frame-ancestors 'none'")
        .doesNotContain("unsafe");
    assertThat(page.headers().firstValue("cache-control")).contains("no-cache");
    String base = page.body().replaceFirst("(?s).*src=\"(/dashboard/[0-9a-f]+)/app.js.*", "$1");
    HttpResponse<String> script = broker.getPlain(base + "/app.js");
    assertThat(script.headers().firstValue("cache-control").orElse("")).contains("immutable");
    assertThat(script.headers().firstValue("content-type").orElse("")).contains("javascript");
    assertThat(broker.status(base + "/lit/index.js")).isEqualTo(200);
    for (String path :
        new String[] {
          base + "/../../logback.xml",
          base + "/%2e%2e/openapi.json",
          base + "/..%2fopenapi.json",
          base + "/index.html",
          base + "/vendor",
          "/dashboard/0000000000000000/app.js"
        }) {
      assertThat(broker.status(path)).as(path).isEqualTo(404);
    }
  }
}
