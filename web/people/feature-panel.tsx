import {
  Activity,
  LayoutPanelLeft,
  ListChecks,
  type LucideIcon,
  Share2,
  Table2,
  UserCog,
  WandSparkles,
} from 'lucide-react'
import { classNames } from '#web/ui/class-names.ts'
import { SelectField } from '#web/ui/select-field.tsx'
import { type BoardView, boardViews } from './board-address.ts'

const features: Record<BoardView, { label: string; Icon: LucideIcon }> = {
  canvas: { label: 'Canvas Mode', Icon: LayoutPanelLeft },
  wizard: { label: 'Wizard Mode', Icon: WandSparkles },
  overview: { label: 'People Overview', Icon: Table2 },
  roles: { label: 'Role Manager', Icon: UserCog },
  network: { label: 'Collaboration Network', Icon: Share2 },
  activity: { label: 'Activity Feed', Icon: Activity },
  workflow: { label: 'Process Workflow', Icon: ListChecks },
}

interface FeaturePanelProps {
  view: BoardView
  onView: (view: BoardView) => void
}

export function FeaturePanel({ view, onView }: FeaturePanelProps) {
  return (
    <>
      <nav aria-label="Features" data-chrome className="sticky top-5 flex flex-col gap-0.5 self-start phone:hidden">
        {boardViews.map((each) => {
          const { label, Icon } = features[each]
          return (
            <button
              key={each}
              type="button"
              aria-current={each === view ? 'page' : undefined}
              onClick={() => onView(each)}
              className={classNames(
                'relative flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 text-start text-ui transition-colors duration-120',
                each === view
                  ? 'bg-fill font-semibold before:absolute before:inset-y-1.5 before:start-0 before:w-[3px] before:rounded-full before:bg-ribbon'
                  : 'hover:bg-fill-hover',
              )}
            >
              <Icon aria-hidden size={15} className="shrink-0 text-muted-foreground" />
              {label}
            </button>
          )
        })}
      </nav>
      <SelectField
        label="Feature"
        options={boardViews.map((each) => ({ value: each, label: features[each].label }))}
        value={view}
        onChange={({ currentTarget }) => onView(currentTarget.value as BoardView)}
        className="desk:hidden"
      />
    </>
  )
}
