package dev.queenmq.spring.sample;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Takes orders over HTTP, and has them brewed, billed and archived. */
@SpringBootApplication
public class OrdersApplication {

  /** Starts it. */
  public static void main(String[] args) {
    SpringApplication.run(OrdersApplication.class, args);
  }
}
