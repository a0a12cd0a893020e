package dev.queenmq.server.model;

/**
 * Why a request cannot be carried out as it stands. The text is meant for the caller who sent it.
 */
public record Problem(String text) {}
