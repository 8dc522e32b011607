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
import { SelectField } from '#web/ui/fields/select-field.tsx'
import { classNames } from '#web/ui/hooks/class-names.ts'
import { type PeopleBoardView, peopleBoardViews } from './board-route.ts'

const features: Record<PeopleBoardView, { label: string; Icon: LucideIcon }> = {
  canvas: { label: 'Canvas Mode', Icon: LayoutPanelLeft },
  wizard: { label: 'Wizard Mode', Icon: WandSparkles },
  overview: { label: 'People Overview', Icon: Table2 },
  roles: { label: 'Role Manager', Icon: UserCog },
  network: { label: 'Collaboration Network', Icon: Share2 },
  activity: { label: 'Activity Feed', Icon: Activity },
  workflow: { label: 'Process Workflow', Icon: ListChecks },
}

interface FeaturePanelProps {
  view: PeopleBoardView
  onView: (view: PeopleBoardView) => void
}

export function FeaturePanel({ view, onView }: FeaturePanelProps) {
  return (
    <>
      <nav aria-label="Features" data-chrome className="sticky top-5 flex flex-col gap-0.5 self-start phone:hidden">
        {peopleBoardViews.map((boardView) => {
          const { label, Icon } = features[boardView]
          return (
            <button
              key={boardView}
              type="button"
              aria-current={boardView === view ? 'page' : undefined}
              onClick={() => onView(boardView)}
              className={classNames(
                'relative flex min-h-8 items-center gap-2.5 rounded-sm px-2.5 text-start text-ui transition-colors duration-120',
                boardView === view
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
        options={peopleBoardViews.map((boardView) => ({ value: boardView, label: features[boardView].label }))}
        value={view}
        onChange={({ currentTarget }) => onView(currentTarget.value as PeopleBoardView)}
        className="desk:hidden"
      />
    </>
  )
}
