package dev.queenmq.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.logging.Level;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.openqa.selenium.By;
import org.openqa.selenium.Dimension;
import org.openqa.selenium.JavascriptExecutor;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.StaleElementReferenceException;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** A Chromium without a window, and what a person does with it: look, click, type. */
final class Browser implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Path SHOTS = Path.of(System.getProperty("queen.screenshots", ""));

  private final ChromeDriver driver;
  private final Path profile;
  private final String url;

  private Browser(ChromeDriver driver, Path profile, String url) {
    this.driver = driver;
    this.profile = profile;
    this.url = url;
  }

  /** Where it is on this machine, and what drives it; empty if one of them is missing. */
  static Optional<List<Path>> installed() {
    Optional<Path> chromium = onPath("chromium", "chromium-browser", "google-chrome");
    Optional<Path> driver = onPath("chromedriver");
    return chromium.flatMap(first -> driver.map(second -> List.of(first, second)));
  }

  private static Optional<Path> onPath(String... names) {
    return Stream.of(names)
        .flatMap(
            name ->
                Stream.of(System.getenv("PATH").split(File.pathSeparator, -1))
                    .map(folder -> Path.of(folder, name)))
        .filter(Files::isExecutable)
        .findFirst();
  }

  static Browser start(String url) throws IOException {
    List<Path> files = installed().orElseThrow();
    Path profile = Files.createTempDirectory("queen-chromium");
    LoggingPreferences logs = new LoggingPreferences();
    logs.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(files.get(0).toFile());
    options.setCapability("goog:loggingPrefs", logs);
    options.addArguments(
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
        "--force-color-profile=srgb",
        "--lang=en",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder()
            .usingDriverExecutable(files.get(1).toFile())
            .usingAnyFreePort()
            .build();
    Browser browser = new Browser(new ChromeDriver(service, options), profile, url);
    browser.size(1360, 900);
    return browser;
  }

  void size(int width, int height) {
    driver.manage().window().setSize(new Dimension(width, height));
  }

  /** Forgets who was logged in, and comes with this token. */
  void login(String token) {
    driver.get(url + "/");
    script("sessionStorage.clear(); localStorage.clear();");
    driver.get(url + "/?" + System.nanoTime());
    see("main.login", "Log in");
    paste(token);
  }

  void paste(String token) {
    WebElement field = find("textarea[name=token]");
    field.clear();
    field.sendKeys(token);
    click("Log in");
  }

  /** Opens the page as a user who has logged in before in this tab. */
  void enter(String token) {
    driver.get(url + "/");
    script("sessionStorage.setItem('queen.token', arguments[0]);", token);
    driver.get(url + "/?" + System.nanoTime());
    find("header.top");
    console();
  }

  /** Keeps what the page says: on a busy machine a notice may be gone before the test looks. */
  private void keepNotices() {
    script(
        "if (!window.told) {"
            + "  window.told = [];"
            + "  addEventListener('queen-notice', (event) => window.told.push(event.detail.text));"
            + "}");
  }

  /** Waits until the page has said so at its lower edge. */
  void told(String text) {
    try {
      await("told " + text).atMost(PATIENCE).until(() -> toldSoFar().contains(text));
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError(
          "told " + text + ", but was: " + toldSoFar() + "\npage: " + text("body"), e);
    }
  }

  private String toldSoFar() {
    return String.valueOf(script("return window.told.join('\\n')"));
  }

  /** Another page of the dashboard, by its address. */
  void go(String place) {
    driver.get(url + "/#/" + place);
    find("main");
    keepNotices();
  }

  void goElsewhere(String address) {
    driver.get(address);
  }

  String address() {
    return String.valueOf(driver.getCurrentUrl());
  }

  WebElement find(String css) {
    return await("find " + css)
        .atMost(PATIENCE)
        .ignoreException(StaleElementReferenceException.class)
        .until(
            () ->
                driver.findElements(By.cssSelector(css)).stream()
                    .filter(WebElement::isDisplayed)
                    .findFirst(),
            Optional::isPresent)
        .orElseThrow();
  }

  /** Waits until something is seen. */
  void see(String css, String text) {
    until(css, "contains " + text, shown -> shown.contains(text));
  }

  void seeNot(String css, String text) {
    until(css, "does not contain " + text, shown -> !shown.contains(text));
  }

  void until(String css, String what, Predicate<String> wanted) {
    try {
      await(css + " " + what)
          .atMost(PATIENCE)
          .ignoreException(StaleElementReferenceException.class)
          .until(() -> wanted.test(text(css)));
    } catch (org.awaitility.core.ConditionTimeoutException e) {
      throw new AssertionError(
          css + " " + what + ", but is: " + text(css) + "\npage: " + text("body"), e);
    }
  }

  /** All that elements show, on lines. */
  String text(String css) {
    return driver.findElements(By.cssSelector(css)).stream()
        .map(WebElement::getText)
        .collect(Collectors.joining("\n"));
  }

  int count(String css) {
    return driver.findElements(By.cssSelector(css)).size();
  }

  /** What a tile shows. */
  String tile(String name) {
    return text("[data-tile='" + name + "'] .tile-value");
  }

  /** A button or link by what it says. */
  void click(String label) {
    clickIn("body", label);
  }

  void clickIn(String css, String label) {
    WebElement scope = find(css);
    String quoted = "\"" + label + "\"";
    By by =
        By.xpath(
            ".//button[normalize-space()=%1$s]|.//a[normalize-space()=%1$s]".formatted(quoted));
    press(() -> scope.findElements(by), css + ": " + label);
  }

  /** A button in the row of a table that has this text. */
  void clickRow(String text, String label) {
    By by =
        By.xpath(
            "//tr[.//*[normalize-space()=\"%1$s\"] or td[normalize-space()=\"%1$s\"]]//button[normalize-space()=\"%2$s\"]"
                .formatted(text, label));
    press(() -> driver.findElements(by), text + ": " + label);
  }

  private void press(java.util.function.Supplier<List<WebElement>> buttons, String what) {
    await("press " + what)
        .atMost(PATIENCE)
        .ignoreExceptionsInstanceOf(WebDriverException.class)
        .until(
            () -> {
              Optional<WebElement> button =
                  buttons.get().stream()
                      .filter(each -> each.isDisplayed() && each.isEnabled())
                      .findFirst();
              button.ifPresent(WebElement::click);
              return button.isPresent();
            });
  }

  /** Whether a button is there and can be used. */
  boolean canClick(String label) {
    return driver
        .findElements(By.xpath("//button[normalize-space()=\"%s\"]".formatted(label)))
        .stream()
        .anyMatch(WebElement::isEnabled);
  }

  void type(String css, String text) {
    WebElement field = find(css);
    field.clear();
    field.sendKeys(text);
  }

  /** Replaces what a field has, whatever its kind. */
  void fill(String css, String value) {
    script(
        "const e = document.querySelector(arguments[0]); e.value = arguments[1];"
            + "e.dispatchEvent(new Event('input', {bubbles: true}));"
            + "e.dispatchEvent(new Event('change', {bubbles: true}));",
        css,
        value);
  }

  void press(CharSequence... keys) {
    driver.switchTo().activeElement().sendKeys(keys);
  }

  void key(String keys) {
    find("main").sendKeys(keys);
  }

  void escape() {
    driver.switchTo().activeElement().sendKeys(Keys.ESCAPE);
  }

  String focused() {
    return String.valueOf(script("return document.activeElement.outerHTML"));
  }

  /** The answer to the question that is asked. */
  void confirm(String label) {
    find("dialog[open]");
    clickIn("dialog[open]", label);
  }

  void closed() {
    await("the dialog closes").atMost(PATIENCE).until(() -> count("dialog[open]") == 0);
  }

  Object script(String code, Object... arguments) {
    return ((JavascriptExecutor) driver).executeScript(code, arguments);
  }

  Object waitForScript(String code, Object... arguments) {
    driver.manage().timeouts().scriptTimeout(PATIENCE);
    return ((JavascriptExecutor) driver).executeAsyncScript(code, arguments);
  }

  /** The page gets the answers to requests with this method later, as over a slow network. */
  void delayAnswers(String method, int millis) {
    script(
        "const send = window.fetch;"
            + "window.fetch = async (target, options) => {"
            + "  const answer = await send(target, options);"
            + "  if (options.method === arguments[0]) {"
            + "    await new Promise((resolve) => setTimeout(resolve, arguments[1]));"
            + "  }"
            + "  return answer;"
            + "};",
        method,
        millis);
  }

  /** What the browser complained about since the last time; what was expected is left out. */
  List<String> console(String... expected) {
    return driver.manage().logs().get(LogType.BROWSER).getAll().stream()
        .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
        .map(entry -> entry.getLevel() + " " + entry.getMessage())
        .filter(text -> Stream.of(expected).noneMatch(text::contains))
        .toList();
  }

  void noComplaints(String... expected) {
    assertThat(console(expected)).isEmpty();
  }

  /** Kept only if pictures were asked for. */
  void screenshot(String name) {
    if (SHOTS.toString().isEmpty()) {
      return;
    }
    until("main", "is loaded", text -> !text.contains("Loading…"));
    try {
      Files.createDirectories(SHOTS);
      Files.write(SHOTS.resolve(name + ".png"), driver.getScreenshotAs(OutputType.BYTES));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  static boolean takesPictures() {
    return !SHOTS.toString().isEmpty();
  }

  @Override
  public void close() throws IOException {
    driver.quit();
    try (Stream<Path> files = Files.walk(profile)) {
      files.sorted(java.util.Comparator.reverseOrder()).forEach(file -> file.toFile().delete());
    }
  }
}
