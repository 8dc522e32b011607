import { useAuth } from '#web/accounts/auth-provider.tsx'
import { DocumentText } from '#web/agents/agent-text.tsx'
import { useKeepers } from '#web/keepers/keeper-queries.ts'
import { Library } from './library.tsx'
import { MarkdownContext } from './view/markdown-context.ts'

/** `/library`: documents stay in this browser, except those that the owner stores on the server. */
export function LibraryPage() {
  const { user } = useAuth()
  const { data: keepers } = useKeepers()
  if (!user) return null
  return (
    <MarkdownContext value={DocumentText}>
      <Library key={user.id} personId={user.id} keepers={keepers} />
    </MarkdownContext>
  )
}
