import { Copy, Ellipsis, Pencil, Play, Trash2 } from 'lucide-react'
import type { EngagementTemplate } from '#contract/keepers/engagement-templates.ts'
import { CatalogCard } from '#web/catalog/catalog-cards.tsx'
import { Button } from '#web/ui/controls/button.tsx'
import { IconButton } from '#web/ui/controls/icon-button.tsx'
import { Menu, MenuItem, MenuSeparator } from '#web/ui/overlays/menu.tsx'
import { Badge } from '#web/ui/panels/badge.tsx'
import { fieldTypeNames, targetNames } from './template-values.ts'

interface TemplateCardProps {
  template: EngagementTemplate
  onStart: () => void
  onEdit: () => void
  onDuplicate: () => void
  onDelete: () => void
}

const maxVisibleParts = 4

export function TemplateCard({ template, onStart, onEdit, onDuplicate, onDelete }: TemplateCardProps) {
  const { label, fields, steps, kind, mine } = template
  const parts =
    kind === 'process'
      ? steps.map(({ title }) => title)
      : fields.map((field) => `${field.label} (${fieldTypeNames[field.type].toLowerCase()})`)
  return (
    <CatalogCard name={label} description={template.description} system={template.system}>
      <p className="flex flex-wrap gap-1.5">
        {template.category && <Badge tone="outlined">{template.category}</Badge>}
        <Badge tone="outlined">{template.type}</Badge>
      </p>
      <ul aria-label={kind === 'process' ? 'Steps' : 'Fields'} className="list-disc ps-4 text-small">
        {parts.slice(0, maxVisibleParts).map((part, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two steps can have the same title
          <li key={index} className="wrap-break-word">
            {part}
          </li>
        ))}
        {parts.length > maxVisibleParts && <li>{parts.length - maxVisibleParts} more</li>}
      </ul>
      <p className="mt-auto pt-1 text-small text-muted-foreground">
        Becomes {targetNames[template.target].toLowerCase()}.{' '}
        {kind === 'process'
          ? template.templateCount === 0
            ? 'Not started in any of your keepers yet.'
            : `Started in ${template.templateCount} of your keepers.`
          : template.templateCount === 0
            ? 'Not used by any process.'
            : `Used by ${template.templateCount} ${template.templateCount === 1 ? 'process' : 'processes'}.`}
      </p>
      <div className="flex items-center gap-2">
        <Button
          size="small"
          variant="primary"
          aria-label={`Start ${label}`}
          onClick={onStart}
          icon={<Play aria-hidden size={13} />}
        >
          Start
        </Button>
        {mine && (
          <Button size="small" aria-label={`Edit ${label}`} onClick={onEdit} icon={<Pencil aria-hidden size={13} />}>
            Edit
          </Button>
        )}
        <Menu
          trigger={
            <IconButton size="small" label={`More for ${label}`}>
              <Ellipsis aria-hidden size={16} />
            </IconButton>
          }
        >
          <MenuItem icon={<Copy aria-hidden size={15} />} onSelect={onDuplicate}>
            Duplicate
          </MenuItem>
          {mine && (
            <>
              <MenuSeparator />
              <MenuItem danger icon={<Trash2 aria-hidden size={15} />} onSelect={onDelete}>
                Delete
              </MenuItem>
            </>
          )}
        </Menu>
      </div>
    </CatalogCard>
  )
}
