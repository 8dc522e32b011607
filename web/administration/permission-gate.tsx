import type { ComponentProps, ReactNode } from 'react'
import type { Permission } from '#contract/endpoint.ts'
import { useAuth } from '#web/page/auth-context.tsx'
import { QueryState } from '#web/queries/query-error.tsx'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { Card } from '#web/ui/panels/card.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'
import { TableSkeleton } from '#web/ui/panels/table-skeleton.tsx'

interface PermissionGateProps {
  permission: Permission
  /** Shown to people without the permission. */
  refusal: string
  /** Texts of the panel that is shown if permissions can’t be loaded. */
  failure: Pick<ComponentProps<typeof QueryState>, 'title' | 'children'>
  skeleton?: ReactNode
  children: ReactNode
}

export function PermissionGate(props: PermissionGateProps) {
  const { permission, refusal, failure, skeleton = <TableSkeleton />, children } = props
  const { access, accessError: error, refetchAccess: refetch } = useAuth()
  if (access?.permissions.includes(permission)) return children
  if (access) return <NotPermitted title={refusal} permission={permission} />
  const query = { data: access, error, isPending: error === null, isFetching: false, refetch }
  return <QueryState query={query} skeleton={skeleton} {...failure} />
}

export function NotPermitted({ title, permission }: { title: string; permission: Permission }) {
  return (
    <EmptyPanel drawing="seal" title={title} action={<LinkButton to="/root">Root Dashboard</LinkButton>}>
      You need the permission {permission}. Ask your administrator for a role that has it.
    </EmptyPanel>
  )
}

export const CardSkeleton = () => (
  <Card padded={false}>
    <TableSkeleton />
  </Card>
)
