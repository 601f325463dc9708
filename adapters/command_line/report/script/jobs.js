/* Finding a job: by its id, or as one of those that stand out. */

const MOST_LISTED = 12;

const JOB_ORDERS = {
  waited: (outcome, job) => outcome.waited[job],
  jct: (outcome, job) => outcome.status[job] === 2 ? outcome.jct[job] : -1,
  unfair: (outcome, job) => outcome.fairness[job],
  changes: (outcome, job) => outcome.resizes[job] + outcome.migrations[job] + outcome.stops[job],
  gpus: (outcome, job) => outcome.gpuTime[job],
  arrival: (outcome, job) => -job,
};

/** The first jobs whose id contains a text: those that equal it or begin with it come first. */
function foundJobs(names, text) {
  const wanted = text.toLowerCase();
  const groups = [[], [], []];
  let count = 0;
  names.forEach((name, job) => {
    const at = name.toLowerCase().indexOf(wanted);
    if (at < 0) return;
    ++count;
    const group = groups[name.length === text.length ? 0 : at === 0 ? 1 : 2];
    if (group.length < MOST_LISTED) group.push(job);
  });
  return {jobs: groups.flat().slice(0, MOST_LISTED), count};
}

/** The jobs with the largest values, ties in order of arrival. */
function largestJobs(count, value) {
  const best = [];
  for (let job = 0; job < count; ++job) {
    const own = value(job);
    if (best.length === MOST_LISTED && own <= best[best.length - 1][0]) continue;
    let at = best.length;
    while (at > 0 && best[at - 1][0] < own) --at;
    best.splice(at, 0, [own, job]);
    if (best.length > MOST_LISTED) best.pop();
  }
  return best.map(([, job]) => job);
}

class JobList {
  constructor(report, open) {
    this.report = report;
    this.open = open;
    this.search = document.getElementById('job-search');
    this.order = document.getElementById('job-order');
    this.policy = document.getElementById('job-policy');
    report.policies.forEach((policy, i) => this.policy.append(new Option(shortName(policy.name, 60), String(i))));
    this.policy.value = String(bestPolicy(report));
    this.search.addEventListener('input', () => this.show());
    this.order.addEventListener('change', () => this.show());
    this.policy.addEventListener('change', () => this.show());
  }

  show() {
    const {report} = this;
    const outcome = report.outcomes(Number(this.policy.value));
    const text = this.search.value.trim();
    let found = null;
    if (text !== '') found = foundJobs(report.names(), text);
    const jobs = found === null ? largestJobs(report.shown_jobs, (job) => JOB_ORDERS[this.order.value](outcome, job)) : found.jobs;
    const total = found === null ? report.shown_jobs : found.count;
    document.getElementById('job-count').textContent = total === 0 ? 'No job is called so.' :
        `${countText(jobs.length)} of ${countText(total)} jobs` + (report.stride > 1 ? ` (of ${countText(report.jobs)} jobs, every ${countText(report.stride)}th is in this file)` : '') + '.';
    const table = document.getElementById('job-list');
    table.tHead.replaceChildren(headRow('job', 'submitted after', 'GPUs asked', 'took', 'waited', 'changes', 'GPU hours', 'unfair'));
    table.tBodies[0].replaceChildren(...jobs.map((job) => this.row(job, outcome)));
  }

  row(job, outcome) {
    const {report} = this;
    const columns = report.jobColumns();
    const time = (ticks) => durationText(ticks * report.tick_s);
    const pick = html('button', {type: 'button', class: 'pick'}, nameElement(shortName(report.names()[job], 40)));
    pick.addEventListener('click', () => this.open(job));
    const hasFinished = outcome.status[job] === 2;
    const cells = [
      time(columns.submitted[job]), countText(columns.requested[job]), hasFinished ? time(outcome.jct[job]) : 'not finished', time(outcome.waited[job]),
      countText(JOB_ORDERS.changes(outcome, job)), roundedText(outcome.gpuTime[job] * report.tick_s / 3600), hasFinished ? roundedText(outcome.fairness[job] / 1000) : '–'];
    return html('tr', {}, html('th', {scope: 'row'}, pick), ...cells.map((cell) => html('td', {}, cell)));
  }
}
