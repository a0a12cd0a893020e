package dev.queenmq.server.sidecar;

/** Tells what a broker has done; safe for use by several threads. */
public interface Figures {

  /** As of now. */
  SidecarFigures now();
}
