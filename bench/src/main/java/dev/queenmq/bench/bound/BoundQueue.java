package dev.queenmq.bench.bound;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerResponse;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** A queue: its lanes, those with messages, and the polls that wait. */
final class BoundQueue {
  final String name;
  final Map<String, Lane> lanes = new HashMap<>();
  final Deque<Lane> ready = new ArrayDeque<>();
  final Deque<Poll> polls = new ArrayDeque<>();

  BoundQueue(String name) {
    this.name = name;
  }

  /** A push or an ack whose answer is written already, and goes out when all parts are stored. */
  static final class Request {
    final HttpServerResponse response;
    final JsonBytes answer;
    int parts;
    boolean failed;

    Request(HttpServerResponse response, JsonBytes answer) {
      this.response = response;
      this.answer = answer;
    }
  }

  /**
   * A pop.
   *
   * @param deadline when it is answered with nothing, on the clock of {@code System.nanoTime}
   */
  record Poll(HttpServerResponse response, int batch, long deadline) {}

  /** A lane and what is about to be appended to it, by at most one statement at a time. */
  static final class Lane {
    final BoundQueue queue;
    final String name;
    final UUID id;

    /** How far it is stored. */
    long end;

    /** How far it is done. */
    long committed;

    boolean stored;
    boolean pushing;
    boolean waitsForPush;
    boolean leased;
    boolean ready;
    Pending pending = new Pending();

    Lane(BoundQueue queue, String name, UUID id) {
      this.queue = queue;
      this.name = name;
      this.id = id;
    }
  }

  /** Messages of any number of requests, in their order. */
  static final class Pending {
    final List<UUID> ids = new ArrayList<>();
    final List<String> transactionIds = new ArrayList<>();
    final List<Buffer> payloads = new ArrayList<>();
    final List<Request> requests = new ArrayList<>();

    void add(UUID messageId, String transactionId, Buffer payload, Request request) {
      ids.add(messageId);
      transactionIds.add(transactionId);
      payloads.add(payload);
      if (requests.isEmpty() || requests.get(requests.size() - 1) != request) {
        requests.add(request);
        request.parts++;
      }
    }

    int size() {
      return ids.size();
    }
  }

  /** Messages that a poll was given. */
  static final class Lease {
    final UUID id;
    final Lane lane;
    final Poll poll;
    final long low;
    final long high;
    final long expires;
    List<String> transactionIds = List.of();

    Lease(UUID id, Lane lane, Poll poll, long low, long high, long expires) {
      this.id = id;
      this.lane = lane;
      this.poll = poll;
      this.low = low;
      this.high = high;
      this.expires = expires;
    }
  }
}
