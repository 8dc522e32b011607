import { useAuth } from '#web/accounts/auth-provider.tsx'
import { DocumentText } from '#web/agents/agent-text.tsx'
import { cleanPage, toPageDocument } from '#web/boards/frames/clean-page.ts'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { Library } from './library.tsx'
import { type Viewers, ViewersContext } from './view/viewers.ts'

const viewers: Viewers = {
  Markdown: DocumentText,
  cleanPage(html, mode) {
    const page = cleanPage(html)
    return { document: toPageDocument(page.html, mode), hasRemovedContent: page.hasRemovedContent }
  },
}

/** `/library`: documents stay in this browser, except one that its person keeps on the server. */
export function LibraryPage() {
  const { user } = useAuth()
  const { data: keepers } = useKeepers()
  if (!user) return null
  return (
    <ViewersContext value={viewers}>
      <Library key={user.id} person={user.id} keepers={keepers} />
    </ViewersContext>
  )
}
