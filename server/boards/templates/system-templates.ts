import type { Selectable } from 'kysely'
import type { BoardConfig } from '#contract/boards/boards.ts'
import { defaultBoardTheme } from '#contract/boards/boards.ts'
import type { FrameContents, ProcessStep } from '#contract/boards/frame-content.ts'
import type { FrameType } from '#contract/boards/frame-types.ts'
import type { Schema } from '#server/db/schema.ts'
import { toFrame, toFrameRows } from '../board-view.ts'
import { createFrame } from '../entity/new-frames.ts'

const templateCreatedAt = 0

export type BoardTemplateRow = Pick<
  Selectable<Schema['board_templates']>,
  'id' | 'name' | 'description' | 'config' | 'frames'
>
type Box = readonly [x: number, y: number, width: number, height: number]
type FrameOptions = Pick<Parameters<typeof createFrame>[2], 'description' | 'pattern' | 'content'>
type TemplateFrame = { frameType: FrameType; slug: string; name: string; box: Box } & FrameOptions

interface SystemTemplate {
  slug: string
  name: string
  description: string
  config: Partial<BoardConfig>
  frames: TemplateFrame[]
}

const frame = (frameType: FrameType, slug: string, name: string, box: Box, options?: FrameOptions): TemplateFrame => ({
  frameType,
  slug,
  name,
  box,
  ...options,
})

const cover = (title: string, caption: string, width = 300, height = 200) =>
  frame('media_card', 'cover', 'Cover', [40, 40, width, height], { content: { title, caption } })

const picture = (slug: string, name: string, box: Box) => frame('media_card', slug, name, box, { pattern: 'gallery' })

const steps = (slug: string, name: string, box: Box, ...titles: string[]) => {
  const todo = titles.map((title, index): ProcessStep => ({ id: `step-${index + 1}`, title, state: 'todo' }))
  return frame('process_frame', slug, name, box, { content: { steps: todo } })
}

const code = (
  slug: string,
  name: string,
  box: Box,
  language: FrameContents['code_snippet']['language'],
  code: string,
  description?: string,
) => frame('code_snippet', slug, name, box, { description, content: { language, code } })

const preview = (entity: 'journey' | 'keeper', name: string, box: Box, description: string) =>
  frame('preview', entity, name, box, { description, content: { kind: 'entity', entity } })

const theme = (primaryColor: string, accentColor: string) => ({ ...defaultBoardTheme, primaryColor, accentColor })

const templateDefinitions: SystemTemplate[] = [
  {
    slug: 'evening-round',
    name: 'Evening routine',
    description:
      'Close the day in four steps: look back, write one moment, talk it over, choose what comes first tomorrow.',
    config: { engagementMode: 'wizard', theme: theme('#1E3A5F', '#B45309') },
    frames: [
      cover('The evening routine', 'Fifteen minutes, every evening.'),
      steps(
        'round',
        'The routine',
        [40, 260, 300, 260],
        'Look back: how was today?',
        'Write one moment, however small',
        'Talk over what’s still open',
        'Choose tomorrow’s first thing',
      ),
      preview('keeper', 'My keeper', [360, 40, 320, 240], 'Choose the keeper for your days'),
      frame('dialog', 'talk', 'Talk it over', [360, 300, 320, 320], {
        description: 'Choose an agent that can read your keeper',
      }),
    ],
  },
  {
    slug: 'family-journey',
    name: 'Family journey',
    description:
      'A journey told together: pictures, the route, the people coming along, and what to do before leaving.',
    config: { engagementMode: 'canvas', theme: theme('#166534', '#14532D') },
    frames: [
      cover('Where we went', 'Put the picture everyone remembers here.', 400, 280),
      preview('journey', 'The journey', [460, 40, 400, 280], 'Choose a journey from one of your keepers'),
      picture('picture-one', 'First picture', [40, 340, 260, 200]),
      picture('picture-two', 'Second picture', [320, 340, 260, 200]),
      picture('picture-three', 'Third picture', [600, 340, 260, 200]),
      steps(
        'before-leaving',
        'Before we leave',
        [40, 560, 400, 240],
        'Agree on the days',
        'Book the trip there',
        'Everyone packs their own bag',
        'Decide who looks after the house',
      ),
      frame('people_overview', 'people', 'Who comes along', [460, 560, 400, 240]),
    ],
  },
  {
    slug: 'agent-workbench',
    name: 'Agent workbench',
    description:
      'Build an agent next to the one it will replace: both run on the same input, with the settings beside them.',
    config: { engagementMode: 'canvas' },
    frames: [
      frame('agent_preview', 'as-it-is', 'As it is', [40, 40, 360, 300], { description: 'The current agent' }),
      frame('agent_preview', 'as-it-could-be', 'As it could be', [420, 40, 360, 300], {
        description: 'The agent you’re building',
      }),
      frame('config_panel', 'agent-settings', 'The agent’s settings', [800, 40, 520, 400], {
        content: { entity: 'agent' },
      }),
      code(
        'hard-questions',
        'Hard questions',
        [40, 360, 360, 260],
        'markdown',
        '# Hard questions\n\n1. Something it must know.\n2. Something it must look up.\n3. Something it must refuse.\n',
        'Questions the agent must answer well; try them after every change',
      ),
      frame('dialog', 'talk', 'Talk to it', [420, 360, 360, 260]),
      steps(
        'way',
        'From idea to use',
        [800, 460, 520, 240],
        'Say what it is for',
        'Try the hard questions',
        'Keep one as a golden question',
        'Save, then share it',
      ),
    ],
  },
  {
    slug: 'project-plan',
    name: 'Project plan',
    description: 'Now, next and later side by side, with your decisions and an agent to think with.',
    config: { engagementMode: 'canvas', theme: theme('#3730A3', '#1E1B4B') },
    frames: [
      cover('What we’re making', 'One sentence: for whom, and why now.', 300, 220),
      steps('now', 'Now', [360, 40, 280, 300], 'The one thing in progress', 'What blocks it'),
      steps('next', 'Next', [660, 40, 280, 300], 'The next thing'),
      steps('later', 'Later', [960, 40, 280, 300], 'What waits until the next thing is done'),
      code(
        'decisions',
        'Decisions',
        [40, 360, 600, 240],
        'markdown',
        '# Decisions\n\n- **Day**: what was decided, and what it rules out.\n',
        'What was decided, when, and what it rules out',
      ),
      frame('dialog', 'think', 'Think out loud', [660, 360, 280, 240]),
      frame('config_panel', 'settings', 'Settings', [960, 360, 520, 400]),
    ],
  },
  {
    slug: 'code-and-prompts',
    name: 'Code and prompts',
    description: 'Prompts, settings and commands that must stay exactly as written, with an agent to try them on.',
    config: { engagementMode: 'focus', theme: theme('#0F172A', '#7C2D12') },
    frames: [
      code(
        'prompt',
        'System prompt',
        [40, 40, 420, 280],
        'markdown',
        'You are …\n\n## What you do\n\n- …\n\n## What you never do\n\n- Invent what you do not know.\n',
      ),
      code(
        'settings',
        'Model settings',
        [480, 40, 320, 280],
        'json',
        '{\n  "temperature": 0.2,\n  "max_tokens": 1000\n}\n',
      ),
      code('command', 'Command', [40, 340, 420, 160], 'bash', 'curl --fail https://example.org/health\n'),
      frame('agent_preview', 'try', 'Try it', [480, 340, 320, 280]),
      frame('preview', 'page', 'How it looks', [40, 520, 420, 240], {
        description: 'A page in a sandbox, without scripts',
        content: { kind: 'page', html: '<h1>A heading</h1>\n<p>What the page says.</p>\n' },
      }),
    ],
  },
]

export const systemBoardTemplates: readonly BoardTemplateRow[] = templateDefinitions.map(
  ({ slug, name, description, config, frames }) => {
    const id = `board-template-${slug}`
    const plainFrames = frames.map(({ frameType, box: [x, y, width, height], ...options }) =>
      createFrame({ newId: () => `${id}-${options.slug}` }, frameType, { ...options, x, y, size: { width, height } }),
    )
    return {
      id,
      name,
      description,
      config: {
        name,
        description,
        layout: 'canvas',
        engagementMode: 'canvas',
        allowLayoutEditing: true,
        animation: 'none',
        theme: defaultBoardTheme,
        ...config,
      },
      // Converted to rows and back, so that the frames have the fields of stored ones.
      frames: toFrameRows(id, plainFrames, [], templateCreatedAt).map(toFrame),
    }
  },
)
