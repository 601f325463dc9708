'use strict';
/* Reads what the program wrote into the page. The layout is described in docs/report.md. */

function dataText(id) {
  const element = document.getElementById('data-' + id);
  if (element === null) throw new Error('the page has lost its part "' + id + '"');
  return element.textContent;
}

function bytesOf(base64) {
  if (Uint8Array.fromBase64 !== undefined) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; ++i) bytes[i] = text.charCodeAt(i);
  return bytes;
}

/** Numbers of 7 bits a byte, low ones first. Multiplies, since times may exceed 32 bits. */
class NumberReader {
  constructor(bytes) {
    this.bytes = bytes;
    this.at = 0;
  }

  next() {
    let byte = this.bytes[this.at++];
    if (byte < 128) return byte;
    let number = byte & 127;
    let weight = 128;
    do {
      if (this.at >= this.bytes.length) throw new Error('numbers end too early');
      byte = this.bytes[this.at++];
      number += (byte & 127) * weight;
      weight *= 128;
    } while (byte >= 128);
    return number;
  }

  column(length) {
    const values = new Float64Array(length);
    for (let i = 0; i < length; ++i) values[i] = this.next();
    return values;
  }
}

function columnsOf(base64, names, length) {
  const reader = new NumberReader(bytesOf(base64));
  const columns = {};
  for (const name of names) columns[name] = reader.column(length);
  return columns;
}

/** Keeps the first answer of a function of one small number or of nothing. */
function remembered(compute) {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
}

/** Everything in the page, each part decoded when it is first asked for. */
function openReport() {
  const report = JSON.parse(dataText('report'));
  const count = report.shown_jobs;
  const timelineColumns =
      ['capacity', 'held', 'running', 'waiting', 'mostWaiting', 'start', 'resize', 'migrate', 'stop'];
  for (const policy of report.policies) {
    const columns = columnsOf(policy.timeline.columns, timelineColumns, policy.timeline.bins);
    for (const name of ['capacity', 'held', 'running', 'waiting']) {
      columns[name] = columns[name].map((hundredths) => hundredths / 100);
    }
    Object.assign(policy.timeline, columns);
  }
  report.names = remembered(() => JSON.parse(dataText('names')));
  report.jobColumns = remembered(() => {
    const columns = columnsOf(
        dataText('jobs'),
        ['submitted', 'min', 'requested', 'max', 'work', 'profile', 'type', 'queue', 'user', 'cluster'], count);
    for (let i = 1; i < count; ++i) columns.submitted[i] += columns.submitted[i - 1];
    return columns;
  });
  report.outcomes = remembered((policy) => columnsOf(
      dataText('outcomes-' + policy),
      ['status', 'toStart', 'jct', 'waited', 'stalled', 'gpuTime', 'resizes', 'migrations', 'stops', 'fairness'],
      count));
  report.histories = remembered((policy) => readHistories(report, policy));
  return report;
}

/**
 * The changes of all jobs under a policy: those of job j are first[j] to first[j + 1], with the tick from which
 * `gpus` are held. `nodesOf(k)` lists node position and GPUs of change k. Jobs without a history have none.
 */
function readHistories(report, policy) {
  const stride = report.policies[policy].history_stride;
  const count = report.shown_jobs;
  const bytes = bytesOf(dataText('histories-' + policy));
  const submitted = report.jobColumns().submitted;
  const reader = new NumberReader(bytes);
  const first = new Uint32Array(count + 1);
  const most = Math.ceil(bytes.length / 3) + 1;  // a change takes at least three bytes
  const at = new Float64Array(most);
  const gpus = new Float64Array(most);
  const nodesAt = new Uint32Array(most);
  let changes = 0;
  for (let job = 0; job < count; ++job) {
    first[job] = changes;
    if (stride === 0 || job % stride !== 0) continue;
    let tick = submitted[job];
    for (let left = reader.next(); left > 0; --left, ++changes) {
      tick += reader.next();
      at[changes] = tick;
      gpus[changes] = reader.next();
      nodesAt[changes] = reader.at;
      for (let nodes = reader.next(); nodes > 0; --nodes) {
        reader.next();
        reader.next();
      }
    }
  }
  first[count] = changes;
  const nodesOf = (change) => {
    const nodes = new NumberReader(bytes);
    nodes.at = nodesAt[change];
    return Array.from({length: nodes.next()}, () => [nodes.next(), nodes.next()]);
  };
  const has = (job) => stride !== 0 && job % stride === 0;
  return {first, at, gpus, nodesOf, has};
}
