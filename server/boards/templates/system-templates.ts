import type { Selectable } from 'kysely'
import type { BoardConfig } from '#contract/boards/boards.ts'
import { defaultBoardTheme } from '#contract/boards/boards.ts'
import type { ProcessStep } from '#contract/boards/frame-content.ts'
import type { Schema } from '#server/db/schema.ts'
import { toFrame, toFrameRows } from '../board-view.ts'
import { createFrame } from '../entity/new-frames.ts'

export type BoardTemplateRow = Pick<
  Selectable<Schema['board_templates']>,
  'id' | 'name' | 'description' | 'config' | 'frames'
>
type FrameOptions = Parameters<typeof createFrame>[2]
type TemplateFrame = [
  frameType: Parameters<typeof createFrame>[1],
  slug: string,
  name: string,
  box: readonly [x: number, y: number, width: number, height: number],
  options?: Pick<FrameOptions, 'description' | 'pattern' | 'content'>,
]

interface SystemTemplate {
  slug: string
  name: string
  description: string
  config: Partial<BoardConfig>
  frames: TemplateFrame[]
}

function createSteps(...titles: string[]): { steps: ProcessStep[] } {
  return { steps: titles.map((title, index) => ({ id: `step-${index + 1}`, title, state: 'todo' })) }
}

const createCover = (title: string, caption: string, width = 300, height = 200): TemplateFrame => [
  'media_card',
  'cover',
  'Cover',
  [40, 40, width, height],
  { content: { title, caption } },
]

const templateDefinitions: SystemTemplate[] = [
  {
    slug: 'evening-round',
    name: 'Evening routine',
    description:
      'Close the day in four steps: look back, write one moment, talk it over, choose what comes first tomorrow.',
    config: {
      engagementMode: 'wizard',
      theme: { ...defaultBoardTheme, primaryColor: '#1E3A5F', accentColor: '#B45309' },
    },
    frames: [
      createCover('The evening routine', 'Fifteen minutes, every evening.'),
      [
        'process_frame',
        'round',
        'The routine',
        [40, 260, 300, 260],
        {
          content: createSteps(
            'Look back: how was today?',
            'Write one moment, however small',
            'Talk over what’s still open',
            'Choose tomorrow’s first thing',
          ),
        },
      ],
      [
        'preview',
        'keeper',
        'My keeper',
        [360, 40, 320, 240],
        { description: 'Choose the keeper for your days', content: { kind: 'entity', entity: 'keeper' } },
      ],
      [
        'dialog',
        'talk',
        'Talk it over',
        [360, 300, 320, 320],
        { description: 'Choose an agent that can read your keeper' },
      ],
    ],
  },
  {
    slug: 'family-journey',
    name: 'Family journey',
    description:
      'A journey told together: pictures, the route, the people coming along, and what to do before leaving.',
    config: {
      engagementMode: 'canvas',
      theme: { ...defaultBoardTheme, primaryColor: '#166534', accentColor: '#14532D' },
    },
    frames: [
      createCover('Where we went', 'Put the picture everyone remembers here.', 400, 280),
      [
        'preview',
        'journey',
        'The journey',
        [460, 40, 400, 280],
        { description: 'Choose a journey one of you keeps', content: { kind: 'entity', entity: 'journey' } },
      ],
      ['media_card', 'picture-one', 'First picture', [40, 340, 260, 200], { pattern: 'gallery' }],
      ['media_card', 'picture-two', 'Second picture', [320, 340, 260, 200], { pattern: 'gallery' }],
      ['media_card', 'picture-three', 'Third picture', [600, 340, 260, 200], { pattern: 'gallery' }],
      [
        'process_frame',
        'before-leaving',
        'Before we leave',
        [40, 560, 400, 240],
        {
          content: createSteps(
            'Agree on the days',
            'Book the trip there',
            'Everyone packs their own bag',
            'Decide who looks after the house',
          ),
        },
      ],
      ['people_overview', 'people', 'Who comes along', [460, 560, 400, 240]],
    ],
  },
  {
    slug: 'agent-workbench',
    name: 'Agent workbench',
    description:
      'Build an agent next to the one it will replace: both run on the same input, with the settings beside them.',
    config: { engagementMode: 'canvas' },
    frames: [
      ['agent_preview', 'as-it-is', 'As it is', [40, 40, 360, 300], { description: 'The current agent' }],
      [
        'agent_preview',
        'as-it-could-be',
        'As it could be',
        [420, 40, 360, 300],
        { description: 'The agent you’re building' },
      ],
      ['config_panel', 'agent-settings', 'The agent’s settings', [800, 40, 320, 300], { content: { entity: 'agent' } }],
      [
        'code_snippet',
        'hard-questions',
        'Hard questions',
        [40, 360, 360, 260],
        {
          description: 'Questions the agent must answer well; try them after every change',
          content: {
            language: 'markdown',
            code: '# Hard questions\n\n1. Something it must know.\n2. Something it must look up.\n3. Something it must refuse.\n',
          },
        },
      ],
      ['dialog', 'talk', 'Talk to it', [420, 360, 360, 260]],
      [
        'process_frame',
        'way',
        'From idea to use',
        [800, 360, 320, 260],
        {
          content: createSteps(
            'Say what it is for',
            'Try the hard questions',
            'Keep one as a golden question',
            'Save, then share it',
          ),
        },
      ],
    ],
  },
  {
    slug: 'project-plan',
    name: 'Project plan',
    description: 'Now, next and later side by side, with your decisions and an agent to think with.',
    config: {
      engagementMode: 'canvas',
      theme: { ...defaultBoardTheme, primaryColor: '#3730A3', accentColor: '#1E1B4B' },
    },
    frames: [
      createCover('What we’re making', 'One sentence: for whom, and why now.', 300, 220),
      [
        'process_frame',
        'now',
        'Now',
        [360, 40, 280, 300],
        { content: createSteps('The one thing in progress', 'What blocks it') },
      ],
      ['process_frame', 'next', 'Next', [660, 40, 280, 300], { content: createSteps('The next thing') }],
      [
        'process_frame',
        'later',
        'Later',
        [960, 40, 280, 300],
        { content: createSteps('Only once the next one is done') },
      ],
      [
        'code_snippet',
        'decisions',
        'Decisions',
        [40, 360, 600, 240],
        {
          description: 'What was decided, when, and what it rules out',
          content: {
            language: 'markdown',
            code: '# Decisions\n\n- **Day**: what was decided, and what it rules out.\n',
          },
        },
      ],
      ['dialog', 'think', 'Think out loud', [660, 360, 280, 240]],
      ['config_panel', 'settings', 'Settings', [960, 360, 280, 240]],
    ],
  },
  {
    slug: 'code-and-prompts',
    name: 'Code and prompts',
    description: 'Prompts, settings and commands that must stay exactly as written, with an agent to try them on.',
    config: {
      engagementMode: 'focus',
      theme: { ...defaultBoardTheme, primaryColor: '#0F172A', accentColor: '#7C2D12' },
    },
    frames: [
      [
        'code_snippet',
        'prompt',
        'System prompt',
        [40, 40, 420, 280],
        {
          content: {
            language: 'markdown',
            code: 'You are …\n\n## What you do\n\n- …\n\n## What you never do\n\n- Invent what you do not know.\n',
          },
        },
      ],
      [
        'code_snippet',
        'settings',
        'Model settings',
        [480, 40, 320, 280],
        { content: { language: 'json', code: '{\n  "temperature": 0.2,\n  "max_tokens": 1000\n}\n' } },
      ],
      [
        'code_snippet',
        'command',
        'Command',
        [40, 340, 420, 160],
        { content: { language: 'bash', code: 'curl --fail https://example.org/health\n' } },
      ],
      ['agent_preview', 'try', 'Try it', [480, 340, 320, 280]],
      [
        'preview',
        'page',
        'How it looks',
        [40, 520, 420, 240],
        {
          description: 'A page in a sandbox, without scripts',
          content: { kind: 'page', html: '<h1>A heading</h1>\n<p>What the page says.</p>\n' },
        },
      ],
    ],
  },
]

export const systemBoardTemplates: readonly BoardTemplateRow[] = templateDefinitions.map(
  ({ slug, name, description, config, frames }) => {
    const id = `board-template-${slug}`
    const plainFrames = frames.map(([frameType, slug, name, [x, y, width, height], options]) =>
      createFrame({ newId: () => `${id}-${slug}` }, frameType, {
        ...options,
        slug,
        name,
        x,
        y,
        size: { width, height },
      }),
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
      frames: toFrameRows(id, plainFrames, [], 0).map(toFrame),
    }
  },
)
