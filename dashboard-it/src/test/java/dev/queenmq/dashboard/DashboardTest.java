package dev.queenmq.dashboard;

import dev.queenmq.dashboard.DashboardExtension.Shared;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;

/** Looks at pages with a browser; at the end the browser must not have complained. */
@ExtendWith(DashboardExtension.class)
abstract class DashboardTest {
  static final String ADMIN = Tokens.of("alice", "admin");

  private static final AtomicInteger SERIAL = new AtomicInteger();

  Broker broker;
  Browser browser;
  Data data;

  @BeforeEach
  void share(Shared shared) {
    broker = shared.broker();
    browser = shared.browser();
    data = shared.data();
    browser.size(1360, 900);
    browser.console();
  }

  @AfterEach
  void noComplaints() {
    browser.noComplaints(expectedComplaints());
  }

  /** What the browser may say in this class. */
  String[] expectedComplaints() {
    return new String[0];
  }

  /** A name that no other test has. */
  static String fresh(String name) {
    return name + "-" + SERIAL.incrementAndGet();
  }
}
