import { tokenKey } from '#web/api-token.ts'

/** Who is signed in already goes straight on. */
if (localStorage.getItem(tokenKey)) {
  document.querySelector('[data-return]')?.setAttribute('href', '/root')
}
