import type { MemberRight } from '#contract/boards/board-sharing.ts'
import type { MemberRole } from '#contract/domains/domains.ts'
import type { TestApp } from './test-app.ts'

/** Shares a board directly in the table; omitted roles get no access. */
export async function insertBoardShare(
  { services }: TestApp,
  boardId: string,
  domainId: string,
  rights: Partial<Record<MemberRole, MemberRight>>,
): Promise<void> {
  const { db } = services
  const { owner_id } = await db
    .selectFrom('boards')
    .select('owner_id')
    .where('id', '=', boardId)
    .executeTakeFirstOrThrow()
  const rightColumns = {
    admin_may: rights.admin ?? 'none',
    user_may: rights.user ?? 'none',
    friend_may: rights.friend ?? 'none',
    connection_may: rights.connection ?? 'none',
  }
  await db
    .insertInto('domain_boards')
    .values({ domain_id: domainId, board_id: boardId, owner_id, ...rightColumns, shared_at: services.now().getTime() })
    .onConflict((conflict) => conflict.columns(['domain_id', 'board_id']).doUpdateSet(rightColumns))
    .execute()
}
