import { LaterPage } from './later-page.tsx'

/** Places that have their address already. Each leaves this list when its page is built. */
export const laterPages = {
  library: (
    <LaterPage title="Documents">Documents you put here stay in this browser and are never sent anywhere.</LaterPage>
  ),
}
