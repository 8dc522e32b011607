import { useLocation } from 'react-router'
import { AnchorButton } from '#web/ui/controls/anchor-button.tsx'

export function WaitingForAuthentication() {
  const { pathname, search } = useLocation()
  return (
    <div role="status" className="flex flex-col items-center gap-3 py-16 text-center">
      <h1 className="text-h2">Board Studio - Loading...</h1>
      <p className="font-serif text-read text-muted-foreground italic">Waiting for authentication...</p>
      <AnchorButton href={`/login?next=${encodeURIComponent(pathname + search)}`}>Sign in again</AnchorButton>
    </div>
  )
}
