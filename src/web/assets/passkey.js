/**
 * Passkeys: asks the server what to sign, lets the browser sign it, and hands the answer back. A button says by its data
 * attributes where; it stays hidden where the browser has no passkeys, and everything else works without this script.
 */

const isSupported =
  typeof PublicKeyCredential === 'function' &&
  typeof PublicKeyCredential.parseRequestOptionsFromJSON === 'function' &&
  typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function';

for (const button of document.querySelectorAll('button[data-passkey]')) {
  const status = document.getElementById(button.dataset.status);
  if (!isSupported) {
    status.textContent = button.dataset.unsupported;
    continue;
  }
  button.hidden = false;
  button.addEventListener('click', () => run(button, status));
}

async function run(button, status) {
  button.disabled = true;
  status.textContent = button.dataset.waiting;
  try {
    await sign(button, status);
  } catch (error) {
    // NotAllowedError is also what a browser says when the person waved the question away.
    status.textContent =
      error.name === 'NotAllowedError' || error.name === 'AbortError'
        ? button.dataset.cancelled
        : error.name === 'InvalidStateError'
          ? button.dataset.known
          : button.dataset.failed;
  } finally {
    button.disabled = false;
  }
}

async function sign(button, status) {
  const { passkey, question, answer } = button.dataset;
  if (passkey === 'create' && !button.form.reportValidity()) {
    status.textContent = '';
    return;
  }
  const fields = new FormData(button.form);
  // Nothing secret goes along with what needs none.
  for (const { name } of button.form.querySelectorAll('input[type=password]')) fields.delete(name);
  const asked = await post(question, fields, status);
  if (asked === null) return;
  const credential =
    passkey === 'create'
      ? await navigator.credentials.create({
          publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(asked.options),
        })
      : await navigator.credentials.get({
          publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(asked.options),
        });
  fields.set('challenge_id', asked.challengeId);
  fields.set('response', JSON.stringify(credential.toJSON()));
  const answered = await post(answer, fields, status);
  if (answered === null) return;
  if (answered.next !== undefined) location.assign(answered.next);
  else button.form.submit();
}

/** The answer of the server, or null when it refused and said why. */
async function post(url, fields, status) {
  const reply = await fetch(url, { method: 'POST', body: new URLSearchParams(fields) });
  // Signed out meanwhile: the way to signing in is a page, and this page leads there.
  if (!(reply.headers.get('content-type') ?? '').startsWith('application/json')) {
    location.reload();
    return null;
  }
  const body = await reply.json();
  if (reply.ok) return body;
  if (body.next !== undefined) location.assign(body.next);
  else status.textContent = body.error;
  return null;
}
