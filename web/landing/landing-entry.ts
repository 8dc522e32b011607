import { tokenKey } from '#web/api/api-token.ts'
import { dockDebugTab } from '#web/page/dock-debug-tab.ts'

dockDebugTab()

/** A signed-in person goes straight to the app. */
try {
  if (localStorage.getItem(tokenKey)) document.querySelector('[data-return]')?.setAttribute('href', '/root')
} catch {
  // Without storage, no one is signed in.
}
