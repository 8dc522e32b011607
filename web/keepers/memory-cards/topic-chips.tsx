import { Check } from 'lucide-react'
import type { EmbeddingStatus } from '#contract/keepers/memory-cards.ts'
import { Menu, MenuItem } from '#web/ui/overlays/menu.tsx'

interface TopicChipsProps {
  topics: EmbeddingStatus['topics']
  value: string
  onValueChange: (topic: string) => void
}

const maxVisibleTopics = 4
const chipClasses =
  'h-7 max-w-48 truncate rounded-full border border-border bg-card px-[11px] text-[12.5px] font-medium whitespace-nowrap transition-colors duration-120 hover:bg-muted aria-pressed:border-foreground aria-pressed:bg-foreground aria-pressed:text-background phone:h-[34px]'

/** The largest topics as toggles and the others in a menu; a topic chosen there joins the toggles. */
export function CardTopicFilter({ topics, value, onValueChange }: TopicChipsProps) {
  const topTopics = topics.slice(0, maxVisibleTopics)
  const isTopTopic = value === '' || topTopics.some(({ topic }) => topic === value)
  const chips = isTopTopic ? topTopics : [...topTopics.slice(0, -1), { topic: value, count: 0 }]
  const otherTopics = topics.filter(({ topic }) => !chips.some((visibleChip) => visibleChip.topic === topic))
  return (
    <fieldset aria-label="Topic" data-chrome className="flex min-w-0 flex-wrap gap-1.5">
      <button type="button" aria-pressed={value === ''} onClick={() => onValueChange('')} className={chipClasses}>
        All topics
      </button>
      {chips.map(({ topic }) => (
        <button
          key={topic}
          type="button"
          aria-pressed={topic === value}
          onClick={() => onValueChange(topic)}
          className={chipClasses}
        >
          {topic}
        </button>
      ))}
      {otherTopics.length > 0 && (
        <Menu
          className="max-h-80 overflow-y-auto"
          trigger={
            <button type="button" className={chipClasses}>
              {otherTopics.length} more
            </button>
          }
        >
          {otherTopics.map(({ topic, count }) => (
            <MenuItem
              key={topic}
              icon={topic === value ? <Check aria-hidden size={14} /> : undefined}
              end={<span className="text-small text-muted-foreground tabular-nums">{count}</span>}
              onSelect={() => onValueChange(topic)}
            >
              {topic}
            </MenuItem>
          ))}
        </Menu>
      )}
    </fieldset>
  )
}
