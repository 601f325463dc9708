/* Puts the page together: what is seen at once first, the rest when it comes into view. */

function whenSeen(element, act) {
  const observer = new IntersectionObserver((entries) => {
    if (!entries.some((entry) => entry.isIntersecting)) return;
    observer.disconnect();
    act();
  }, {rootMargin: '400px'});
  observer.observe(element);
}

function drawDistributions(report) {
  const times = {floor: 1, ticks: () => TIME_TICKS, text: shortDurationText, long: durationText, within: 'within'};
  drawKey(report);
  drawShares(report, {...times, figure: document.getElementById('jct-chart'), key: 'jct', title: 'Completion time'});
  drawShares(report, {...times, figure: document.getElementById('waited-chart'), key: 'waited', title: 'Waiting time'});
  drawShares(report, {
    figure: document.getElementById('fairness-chart'), key: 'fairness', title: 'Finish-time fairness', floor: 0.01, ticks: decadeTicks, text: roundedText,
    long: roundedText, within: 'no worse than', mark: 1, markText: 'equal share'});
}

function startGantt(report) {
  const gantt = new Gantt(report, (job) => openJob(report, job));
  const wake = () => {
    drawSizes(report);
    gantt.wake();
  };
  whenSeen(document.getElementById('allocations'), wake);
  window.addEventListener('beforeprint', () => {
    printing.isOn = true;
    wake();
    gantt.draw();
    drawSizes(report);
  });
  window.addEventListener('afterprint', () => {
    printing.isOn = false;
    gantt.ask();
    drawSizes(report);
  });
  gantt.canvas.addEventListener('focus', () => gantt.ask());
  gantt.canvas.addEventListener('blur', () => gantt.ask());
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => drawSizes(report));
}

function main() {
  document.documentElement.classList.add('scripted');
  const report = openReport();
  improveTables();
  drawDistributions(report);
  drawCluster(report);
  startGantt(report);
  const jobs = new JobList(report, (job) => openJob(report, job));
  whenSeen(document.getElementById('jobs'), () => jobs.show());
}

function fail(message) {
  const notice = document.getElementById('failure');
  notice.textContent = 'This report is damaged and cannot be drawn in full: ' + message;
  notice.hidden = false;
}

window.addEventListener('error', (event) => fail(event.message));
main();
