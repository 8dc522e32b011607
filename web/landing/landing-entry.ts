import { tokenKey } from '#web/api-token.ts'

/** Who is signed in already goes straight on. */
try {
  if (localStorage.getItem(tokenKey)) document.querySelector('[data-return]')?.setAttribute('href', '/root')
} catch {
  // A browser that keeps nothing for this page has nobody signed in.
}
