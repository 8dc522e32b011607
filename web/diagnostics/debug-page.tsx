import { LaterPage } from '#web/shell/later-page.tsx'

export function DebugPage() {
  return (
    <LaterPage title="Diagnostics" drawing="lamp">
      This page will check the server, the browser and the model providers, and write a report you can copy.
    </LaterPage>
  )
}
