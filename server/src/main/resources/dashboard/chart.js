/** A chart of what was stored by the minute. */
import {html} from 'lit';
import {QueenElement} from './elements.js';
import {short} from './format.js';

/**
 * @typedef {object} Series
 * @property {string} label
 * @property {string} color the name of a custom property of the style sheet
 * @property {boolean} [fill]
 */

/** <queen-chart .times=${seconds} .values=${[[...], ...]} .series=${series} unit="/s" label="..."></queen-chart> */
class QueenChart extends QueenElement {
  static properties = {
    times: {attribute: false},
    values: {attribute: false},
    series: {attribute: false},
    label: {},
    unit: {},
  };

  constructor() {
    super();
    /** @type {number[]} */
    this.times = [];
    /** @type {(number|null)[][]} */
    this.values = [];
    /** @type {Series[]} */
    this.series = [];
    this.label = '';
    this.unit = '';
    /** @type {any} */
    this.plot = null;
    this.sizes = new ResizeObserver(() => this.#fit());
    this.redraw = () => this.#rebuild();
  }

  connectedCallback() {
    super.connectedCallback();
    this.sizes.observe(this);
    window.addEventListener('queen-theme', this.redraw);
  }

  disconnectedCallback() {
    super.disconnectedCallback();
    this.sizes.disconnect();
    window.removeEventListener('queen-theme', this.redraw);
    this.plot?.destroy();
    this.plot = null;
  }

  render() {
    return html`<div class="chart" role="img" aria-label=${this.#summary()}></div>`;
  }

  /** @param {Map<string, unknown>} changed */
  updated(changed) {
    if (!this.plot || changed.has('series')) {
      this.#rebuild();
    } else if (changed.has('values') || changed.has('times')) {
      this.plot.setData([this.times, ...this.values]);
    }
  }

  #summary() {
    const last = this.series.map((each, i) => `${each.label} ${short(this.values[i]?.at(-1) ?? 0)}${this.unit}`);
    return `${this.label}: now ${last.join(', ')}`;
  }

  #fit() {
    if (this.plot && this.clientWidth > 0) {
      this.plot.setSize({width: this.clientWidth, height: this.#height()});
    }
  }

  #height() {
    return this.clientWidth < 500 ? 200 : 230;
  }

  #rebuild() {
    const room = /** @type {HTMLElement|null} */ (this.querySelector('.chart'));
    if (!room || this.series.length === 0) {
      return;
    }
    this.plot?.destroy();
    const style = getComputedStyle(document.documentElement);
    const color = (/** @type {string} */ name) => style.getPropertyValue(name).trim();
    const axis = {
      stroke: color('--muted'),
      grid: {stroke: color('--line'), width: 1},
      ticks: {stroke: color('--line'), width: 1},
      font: '12px system-ui, sans-serif',
    };
    // @ts-ignore: the vendored script makes it global.
    this.plot = new window.uPlot({
      width: Math.max(200, this.clientWidth),
      height: this.#height(),
      cursor: {y: false},
      scales: {y: {range: (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => [0, Math.max(1, high * 1.1 || 1)]}},
      axes: [{...axis, space: 60, values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => ticks.map(clock)}, {...axis, size: 56, values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => ticks.map((tick) => short(tick))}],
      series: [
        {value: '{YYYY}-{MM}-{DD} {HH}:{mm}'},
        ...this.series.map((each) => ({
          label: each.label,
          stroke: color(each.color),
          width: 2,
          fill: each.fill ? color(each.color + '-fill') : undefined,
          points: {show: false},
          value: (/** @type {any} */ _, /** @type {number|null} */ value) => (value === null ? '–' : short(value) + this.unit),
        })),
      ],
    }, [this.times, ...this.values], room);
  }
}

customElements.define('queen-chart', QueenChart);

/** A time of day, and at midnight the day. @param {number} seconds */
function clock(seconds) {
  const at = new Date(seconds * 1000);
  const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
  return at.getHours() === 0 && at.getMinutes() === 0
    ? `${two(at.getMonth() + 1)}-${two(at.getDate())}`
    : `${two(at.getHours())}:${two(at.getMinutes())}`;
}

/**
 * Points of a history as series; a point that was not recorded is 0.
 * @param {{from: string, to: string, bucketMinutes: number, points: any[]}|null} history
 * @param {((point: any, seconds: number) => number)[]} each
 * @returns {{times: number[], values: number[][]}}
 */
export function seriesOf(history, each) {
  /** @type {{times: number[], values: number[][]}} */
  const drawn = {times: [], values: each.map(() => [])};
  if (!history) {
    return drawn;
  }
  const step = history.bucketMinutes * 60;
  const known = new Map(history.points.map((point) => [Date.parse(point.at) / 1000, point]));
  const first = Math.ceil(Date.parse(history.from) / 1000 / step) * step;
  const last = Date.parse(history.to) / 1000;
  for (let at = first; at <= last; at += step) {
    const point = known.get(at);
    // The minute that runs is written down when it is over.
    if (!point && at + step > last - 75) {
      break;
    }
    drawn.times.push(at);
    each.forEach((value, i) => drawn.values[i].push(point ? value(point, Math.min(step, Math.max(60, last - at))) : 0));
  }
  return drawn;
}
