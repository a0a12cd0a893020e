/** Giving dead letters back and removing them, in steps that a page can show. */
import {get, path, post, query, remove} from './api.js';

/** How many dead letters go in one request. */
const STEP = 200;

/** How long a list of ids in an address may be, in characters; the broker accepts an address of 16 KiB. */
const LONGEST = 6000;

/**
 * @typedef {object} Letter
 * @property {string} transactionId
 * @property {string} consumerGroup
 * @property {string} partition
 */

/**
 * @typedef {object} Selection
 * @property {string} queue
 * @property {string|null} error null: any
 * @property {string} group empty: any
 */

/**
 * @callback Report
 * @param {number} done
 * @param {number|null} all
 */

/**
 * Gives back all letters of a queue, or of a group of it.
 * @param {Selection} selection without an error
 * @param {Report} report
 * @param {() => boolean} stopped
 * @returns {Promise<number>} how many
 */
export async function redriveAll({queue, group}, report, stopped) {
  // What fails again meanwhile is not given back a second time.
  const to = new Date().toISOString();
  let done = 0;
  while (!stopped()) {
    const step = await post('/api/v1/dlq/redrive', {
      queue, to, limit: STEP, requestId: crypto.randomUUID?.() ?? String(Math.random()), ...(group ? {consumerGroup: group} : {})});
    done += step.redriven;
    report(done, done + step.remaining);
    if (step.redriven === 0 || step.remaining === 0) {
      break;
    }
  }
  return done;
}

/**
 * Every letter with an error: their ids, page by page.
 * @param {Selection} selection
 * @param {() => boolean} stopped
 * @returns {Promise<Letter[]>}
 */
export async function collect({queue, error, group}, stopped) {
  /** @type {Letter[]} */
  const letters = [];
  while (!stopped()) {
    const page = await get(path`/api/v1/dashboard/queues/${queue}/dead-letters`
      + query({consumerGroup: group, limit: 1000, offset: letters.length}) + errorParameter(error));
    letters.push(...page.letters);
    if (page.letters.length < 1000) {
      break;
    }
  }
  return letters;
}

/** An error may be empty, which is not the same as any. @param {string|null} error */
export function errorParameter(error) {
  return error === null ? '' : '&error=' + encodeURIComponent(error || '(none)');
}

/**
 * Gives these back.
 * @param {string} queue
 * @param {Letter[]} letters
 * @param {Report} report
 * @param {() => boolean} stopped
 */
export async function redriveSome(queue, letters, report, stopped) {
  let done = 0;
  let seen = 0;
  for (const {consumerGroup, partition, ids} of steps(letters, STEP, Infinity)) {
    if (stopped()) {
      break;
    }
    done += (await post('/api/v1/dlq/redrive', {queue, partition, consumerGroup, transactionIds: ids})).redriven;
    seen += ids.length;
    report(seen, letters.length);
  }
  return done;
}

/**
 * Removes these.
 * @param {string} queue
 * @param {Letter[]} letters
 * @param {Report} report
 * @param {() => boolean} stopped
 */
export async function purgeSome(queue, letters, report, stopped) {
  if (letters.some((letter) => letter.transactionId.includes(','))) {
    throw new Error('A transaction id has a comma in it; purge it with all of its queue');
  }
  let done = 0;
  let seen = 0;
  for (const {consumerGroup, partition, ids} of steps(letters, STEP, LONGEST)) {
    if (stopped()) {
      break;
    }
    done += (await remove('/api/v1/dlq' + query({queue, partition, consumerGroup, transactionIds: ids.join(',')}))).purged;
    seen += ids.length;
    report(seen, letters.length);
  }
  return done;
}

/**
 * Removes all of a queue, or of a group of it.
 * @param {Selection} selection without an error
 */
export async function purgeAll({queue, group}) {
  return (await remove('/api/v1/dlq' + query({queue, consumerGroup: group}))).purged;
}

/**
 * Letters of one group and lane at a time: a transaction id is unique only there.
 * @param {Letter[]} letters
 * @param {number} most
 * @param {number} longest
 */
function* steps(letters, most, longest) {
  /** @type {Map<string, {consumerGroup: string, partition: string, ids: string[], length: number}>} */
  const open = new Map();
  for (const {transactionId, consumerGroup, partition} of letters) {
    const key = JSON.stringify([consumerGroup, partition]);
    const length = encodeURIComponent(transactionId).length + 3;
    let step = open.get(key);
    if (step && (step.ids.length === most || step.length + length > longest)) {
      yield step;
      step = undefined;
    }
    if (!step) {
      step = {consumerGroup, partition, ids: [], length: 0};
      open.set(key, step);
    }
    step.ids.push(transactionId);
    step.length += length;
  }
  yield* open.values();
}
