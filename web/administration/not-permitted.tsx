import type { Permission } from '#contract/endpoint.ts'
import { LinkButton } from '#web/ui/controls/link-button.tsx'
import { EmptyPanel } from '#web/ui/panels/empty-panel.tsx'

export function NotPermitted({ title, permission }: { title: string; permission: Permission }) {
  return (
    <EmptyPanel drawing="seal" title={title} action={<LinkButton to="/root">Root Dashboard</LinkButton>}>
      You page need the permission {permission}. Ask your administrator for a role that has it.
    </EmptyPanel>
  )
}
