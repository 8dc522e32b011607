import type { ReactNode } from 'react'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { Badge } from '#web/ui/panels/badge.tsx'

interface TemplateListItemProps {
  template: EngagementTemplate
  /** Below its label. */
  detail: ReactNode
  badge: string | undefined
  /** Its actions. */
  children: ReactNode
}

export function TemplateListItem({ template, detail, badge, children }: TemplateListItemProps) {
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-hairline py-3">
      <span className="min-w-0 flex-1 basis-48">
        <span dir="auto" className="block font-serif text-h3 font-medium wrap-break-word">
          {template.label}
        </span>
        {detail}
      </span>
      <span className="flex flex-wrap items-center gap-1.5 phone:w-full">
        {badge && <Badge tone="outlined">{badge}</Badge>}
        <Badge tone={template.system ? 'neutral' : 'info'}>{template.system ? 'System' : 'Custom'}</Badge>
        <span className="flex flex-wrap items-center gap-1.5 phone:ms-auto">{children}</span>
      </span>
    </li>
  )
}
