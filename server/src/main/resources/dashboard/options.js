/** The options of a queue and what each does, for the form that changes them. */

/**
 * @typedef {object} Option
 * @property {string} name
 * @property {string} label
 * @property {'number'|'switch'|'tristate'} kind
 * @property {string} [unit]
 * @property {number} [least]
 * @property {string} does
 * @property {boolean} [stored] whether a change also counts for messages that are stored already
 */

/** @type {Option[]} */
export const OPTIONS = [
  {name: 'leaseTime', label: 'Lease time', kind: 'number', unit: 's',
    does: 'How long a consumer has for what it popped. Then another one may get it, unless the lease was extended. 0 means 60.'},
  {name: 'retryLimit', label: 'Retry limit', kind: 'number',
    does: 'A message that has failed more often than this for a group becomes a dead letter of that group. 0: at the first failure.'},
  {name: 'retryDelay', label: 'Retry delay', kind: 'number', unit: 'ms',
    does: 'How long a lane pauses for a group after a failure. What lies behind the message waits as well; other lanes do not.'},
  {name: 'dlqAfterMaxRetries', label: 'Dead letters after the last retry', kind: 'switch',
    does: 'Off: a message that fails is tried again without end, and blocks its lane until it is handled.'},
  {name: 'deadLetterQueue', label: 'Keep what expires', kind: 'tristate',
    does: 'On: messages that expire by their time to live become dead letters too. Off: nothing is given up because it fails.'},
  {name: 'ttl', label: 'Time to live', kind: 'number', unit: 's', stored: true,
    does: 'Older messages are not delivered any more. Nothing is removed by it. 0: off.'},
  {name: 'maxSize', label: 'Largest backlog', kind: 'number', unit: 'messages',
    does: 'Pushes beyond it are answered "queue full". 0: unlimited.'},
  {name: 'delayedProcessing', label: 'Delay', kind: 'number', unit: 's',
    does: 'Each message is delivered when it is this old. 0: at once.'},
  {name: 'windowBuffer', label: 'Window', kind: 'number', unit: 's',
    does: 'A lane is held back until nothing has been pushed to it for this long, and then gives all it has. 0: off.'},
  {name: 'priority', label: 'Priority', kind: 'number', least: -2147483648,
    does: 'Pops by namespace or task ask queues with a higher number first.'},
  {name: 'dedupWindowSeconds', label: 'Deduplication window', kind: 'number', unit: 's', least: -1,
    does: 'For this long, a second push with the same transaction id in a lane is a duplicate. 0: never, -1: as long as the message is stored.'},
  {name: 'retentionEnabled', label: 'Retention', kind: 'switch', stored: true,
    does: 'On: messages are removed by the ages below.'},
  {name: 'retentionSeconds', label: 'Keep messages', kind: 'number', unit: 's', stored: true,
    does: 'Messages older than this are removed, done or not. 0: never.'},
  {name: 'completedRetentionSeconds', label: 'Keep what is done', kind: 'number', unit: 's', stored: true,
    does: 'Messages that all groups have done are removed at this age. 0: never.'},
  {name: 'maxWaitTimeSeconds', label: 'Longest wait', kind: 'number', unit: 's', stored: true,
    does: 'A group loses what it has left waiting for longer. 0: never.'},
  {name: 'encryptionEnabled', label: 'Encryption', kind: 'switch',
    does: 'On: payloads are stored encrypted. The brokers need a key.'},
];
