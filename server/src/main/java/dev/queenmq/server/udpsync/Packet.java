package dev.queenmq.server.udpsync;

/**
 * A packet that was received and is genuine. Not for comparing: the payload is an array, which is
 * handed over instead of copied.
 *
 * @param type 0 to 255; the transport does not interpret it
 * @param sender id of the broker that signed it
 * @param session of the sender: another one means that it was restarted
 * @param sequence counts the packets of a session, from 1; those to other receivers too
 * @param payload belongs to the receiver of this record
 */
@SuppressWarnings("ArrayRecordComponent")
public record Packet(int type, String sender, SessionId session, long sequence, byte[] payload) {}
