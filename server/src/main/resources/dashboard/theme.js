// Before the first paint, so that a page in the dark theme does not flash. A classic script for that reason.
(() => {
  const chosen = localStorage.getItem('queen.theme');
  if (chosen === 'light' || chosen === 'dark') {
    document.documentElement.dataset.theme = chosen;
  }
})();
