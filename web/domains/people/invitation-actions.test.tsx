import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { InvitationActions } from './invitation-actions.tsx'

const renderActions = (props: { isOpen: boolean; canRevoke?: boolean }) =>
  renderToStaticMarkup(
    <QueryClientProvider client={new QueryClient()}>
      <InvitationActions
        invitation={{ id: 'i', domainId: 'd', email: 'ada@example.org' }}
        showNotice={() => undefined}
        {...props}
      />
    </QueryClientProvider>,
  )

test('only an open invitation can be revoked unless the list says otherwise', () => {
  expect(renderActions({ isOpen: true })).toContain('Revoke for ada@example.org')
  expect(renderActions({ isOpen: false })).not.toContain('Revoke')
  expect(renderActions({ isOpen: false })).toContain('Resend to ada@example.org')
  expect(renderActions({ isOpen: false, canRevoke: true })).toContain('Revoke for ada@example.org')
})
