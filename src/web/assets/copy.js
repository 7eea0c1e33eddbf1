/** Copies what is shown once; the button stays hidden where the browser cannot. */

for (const button of document.querySelectorAll('button[data-copy]')) {
  if (navigator.clipboard === undefined) continue;
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    document.getElementById(button.dataset.status).textContent = button.dataset.done;
  });
}
