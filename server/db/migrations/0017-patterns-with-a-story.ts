import type { Migration } from '../migrate.ts'

export const storyPatterns: Migration = {
  name: '0017-patterns-with-a-story',
  statements: ({ boolean }) => [
    `alter table memory_patterns add column keeps_story ${boolean} not null default false`,
    `update memory_patterns set keeps_story = true where id = 'system-sole'`,
    // CRMTimeline shows entries by date and keeps no story, so its texts mention none.
    `update memory_patterns set
      description = 'Everything by date: what happened stands on one timeline, newest first.',
      sections = '[{"key":"timeline","title":"Timeline","kind":"timeline"},{"key":"kept","title":"What is kept","kind":"list"}]'
      where id = 'system-crmtimeline'`,
  ],
}
