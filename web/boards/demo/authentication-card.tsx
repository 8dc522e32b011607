import type { ReactNode } from 'react'
import { useAuth } from '#web/accounts/auth-provider.tsx'
import { AnchorButton } from '#web/ui/controls/anchor-button.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { Card } from '#web/ui/panels/card.tsx'

export function AuthenticationCard() {
  const { isLoading, isAuthenticated, token, user } = useAuth()
  return (
    <Card>
      <h2 className="font-sans text-ui leading-5 font-semibold tracking-normal">Authentication status</h2>
      <dl className="mt-3 grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 gap-y-2 text-ui">
        <StatusItem name="Loading">{isLoading ? 'Yes' : 'No'}</StatusItem>
        <StatusItem name="Authenticated">
          <Badge tone={isAuthenticated ? 'success' : 'neutral'}>{isAuthenticated ? 'Yes' : 'No'}</Badge>
        </StatusItem>
        <StatusItem name="Token">{token === null ? 'Missing' : 'Present'}</StatusItem>
        <StatusItem name="User">{user ? user.name || user.email : 'None'}</StatusItem>
      </dl>
      {!isAuthenticated && !isLoading && (
        <AnchorButton href="/login?next=%2Fboard-demo" variant="primary" className="mt-4">
          Sign in
        </AnchorButton>
      )}
    </Card>
  )
}

function StatusItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="col-span-full grid grid-cols-subgrid items-center">
      <dt className="text-muted-foreground">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{children}</dd>
    </div>
  )
}
