/* One job: what it asked for, and what it got under each policy. */

function definition(term, ...value) {
  return html('div', {}, html('dt', {}, term), html('dd', {}, ...value));
}

function jobFacts(report, job) {
  const columns = report.jobColumns();
  const text = (name) => report.texts[columns[name][job]];
  const facts = [
    definition('submitted', durationText(columns.submitted[job] * report.tick_s) + ' after the first'),
    definition('asked for', gpusText(columns.requested[job])),
    definition('may hold', columns.min[job] === columns.max[job] ? gpusText(columns.min[job]) : `${countText(columns.min[job])} to ${gpusText(columns.max[job])}`),
    definition('work', durationText(columns.work[job]) + ' on one GPU')];
  for (const [name, term] of [['profile', 'profile'], ['type', 'GPU type'], ['queue', 'queue'], ['user', 'user'], ['cluster', 'virtual cluster']]) {
    if (text(name) !== '') facts.push(definition(term, nameElement(text(name))));
  }
  return facts;
}

function gpusText(gpus) {
  return countText(gpus) + (gpus === 1 ? ' GPU' : ' GPUs');
}

function outcomeRow(report, policy, job) {
  const outcome = report.outcomes(policy);
  const tick = report.tick_s;
  const hasFinished = outcome.status[job] === 2;
  const time = (ticks) => durationText(ticks * tick);
  const cells = [
    hasFinished ? time(outcome.jct[job]) : outcome.status[job] === 1 ? 'not finished' : 'never started',
    outcome.status[job] > 0 ? time(outcome.toStart[job]) : '–', time(outcome.waited[job]), time(outcome.stalled[job]),
    roundedText(outcome.gpuTime[job] * tick / 3600), countText(outcome.resizes[job]), countText(outcome.migrations[job]), countText(outcome.stops[job]),
    hasFinished ? roundedText(outcome.fairness[job] / 1000) : '–'];
  return html('tr', {}, html('th', {scope: 'row'}, nameElement(shortName(report.policies[policy].name, 40))), ...cells.map((cell) => html('td', {}, cell)));
}

function headRow(...names) {
  return html('tr', {}, ...names.map((name) => html('th', {scope: 'col'}, name)));
}

/** The changes of a job under a policy as [since its submission, until, GPUs, change], in ticks; null without a history. */
function intervalsOf(report, policy, job) {
  const histories = report.histories(policy);
  if (!histories.has(job)) return null;
  const submitted = report.jobColumns().submitted[job];
  const outcome = report.outcomes(policy);
  const end = outcome.status[job] === 2 ? submitted + outcome.jct[job] : Math.max(submitted, report.policies[policy].timeline.lasted_s / report.tick_s);
  const result = [];
  let from = submitted;
  let gpus = 0;
  let last = null;
  for (let change = histories.first[job]; change < histories.first[job + 1]; ++change) {
    if (histories.at[change] > from) result.push({from: from - submitted, until: histories.at[change] - submitted, gpus, change: last});
    [from, gpus, last] = [histories.at[change], histories.gpus[change], change];
  }
  if (end > from) result.push({from: from - submitted, until: end - submitted, gpus, change: last});
  return result;
}

function jobSvg(report, courses, width) {
  const row = 58;
  const graph = 34;
  const height = row * courses.length + 24;
  const [left, right] = [6, width - 46];
  const span = Math.max(1, ...courses.flatMap((course) => (course || []).map((part) => part.until))) * report.tick_s;
  const most = Math.max(1, ...courses.flatMap((course) => (course || []).map((part) => part.gpus)));
  const x = (ticks) => left + (right - left) * ticks * report.tick_s / span;
  const image = svg('svg', {class: 'chart held', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': 'GPUs of the job over time; the tables below tell the same'});
  const step = timeStep(span, (right - left) / 90);
  for (let tick = 0; tick <= span; tick += step) {
    const at = left + (right - left) * tick / span;
    image.append(svg('line', {class: 'grid', x1: at, x2: at, y1: 16, y2: height - 22}), svg('text', {x: at, y: height - 6, 'text-anchor': tick === 0 ? 'start' : 'middle'}, instantText(tick, step)));
  }
  courses.forEach((course, i) => {
    const base = row * (i + 1) - 6;
    image.append(svg('text', {class: 'name', x: left, y: base - graph - 5}, shortName(report.policies[i].name)), svg('text', {x: right + 5, y: base}, '0'), svg('text', {x: right + 5, y: base - graph + 8}, countText(most)));
    if (course === null) image.append(svg('text', {x: left + 8, y: base - 8}, 'left out of this file, see the notes'));
    for (const part of course || []) {
      if (part.gpus === 0) {
        image.append(svg('line', {class: 'pending', x1: x(part.from), x2: x(part.until), y1: base - 1, y2: base - 1}));
      } else {
        const tall = graph * part.gpus / most;
        image.append(svg('rect', {class: 'area', x: x(part.from), y: base - tall, width: Math.max(0.5, x(part.until) - x(part.from)), height: tall}),
                     svg('line', {class: 'edge', x1: x(part.from), x2: x(part.until), y1: base - tall, y2: base - tall}));
      }
    }
  });
  return image;
}

const MOST_ROWS = 500;

function historyDetails(report, policy, course) {
  const name = nameElement(shortName(report.policies[policy].name, 60));
  const details = html('details', {}, html('summary', {}, 'Allocations under ', name, course === null ? ': left out of this file' : ` (${countText(course.length)})`));
  if (course === null) return details;
  details.addEventListener('toggle', () => {
    const body = html('tbody');
    const histories = report.histories(policy);
    const hasNodes = course.some((part) => part.change !== null && histories.nodesOf(part.change).length > 0);
    for (const part of course.slice(0, MOST_ROWS)) {
      const nodes = part.change === null ? [] : histories.nodesOf(part.change);
      const row = html('tr', {}, html('th', {scope: 'row'}, durationText(part.from * report.tick_s)), html('td', {}, durationText((part.until - part.from) * report.tick_s)), html('td', {}, part.gpus === 0 ? 'waits' : countText(part.gpus)));
      if (hasNodes) row.append(html('td', {}, nameElement(nodes.map(([node, gpus]) => `${report.nodes[node]}: ${gpus}`).join(', '))));
      body.append(row);
    }
    const table = html('table', {class: 'figures'}, html('caption', {}, course.length > MOST_ROWS ? `The first ${MOST_ROWS} of ${countText(course.length)}` : 'Since its submission'),
                       html('thead', {}, headRow('after', 'for', 'GPUs', ...(hasNodes ? ['nodes'] : []))), body);
    details.append(html('div', {class: 'scroll', role: 'region', tabindex: '0', 'aria-label': 'Allocations under ' + report.policies[policy].name}, table));
  }, {once: true});
  return details;
}

function openJob(report, job) {
  const article = document.getElementById('job');
  const heading = document.getElementById('job-heading');
  heading.replaceChildren('Job ', nameElement(report.names()[job]));
  document.getElementById('job-facts').replaceChildren(...jobFacts(report, job));
  const table = document.getElementById('job-table');
  table.tHead.replaceChildren(headRow('policy', 'took', 'first start after', 'waited', 'stalled', 'GPU hours', 'resizes', 'migrations', 'stops', 'unfair'));
  table.tBodies[0].replaceChildren(...report.policies.map((_, policy) => outcomeRow(report, policy, job)));
  const courses = report.policies.map((_, policy) => intervalsOf(report, policy, job));
  const figure = document.getElementById('job-chart');
  for (const old of figure.querySelectorAll('.holder')) old.remove();
  article.hidden = false;
  keepDrawn(figure, (width) => jobSvg(report, courses, width));
  document.getElementById('job-histories').replaceChildren(...courses.map((course, policy) => historyDetails(report, policy, course)));
  heading.focus({preventScroll: true});
  article.scrollIntoView({block: 'start'});
}
