import { scope } from '../../../shared/access/access.ts'
import { endpoint } from '../../../shared/access/endpoint.ts'
import {
  CreatePinterestBoardRequest,
  CreatePinterestBoardResponse,
  createPinterestBoard,
} from '../../../shared/social-accounts/pinterest-boards.ts'
import { platformCallErrors } from '../../../shared/social-accounts/with-fresh-credentials.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/pinterest/boards',
    summary: 'Create a Pinterest board',
    description: 'Creates a real board. Pinterest rejects a name that the account already uses.',
    access: scope('workspace:write'),
    body: CreatePinterestBoardRequest,
    status: 200,
    data: CreatePinterestBoardResponse,
    errors: [...platformCallErrors],
    needs: ['table:read', 'table:write', 'kms:decrypt', 'platform-secrets:pinterest'],
  },
  ({ ctx, workspace, body }) => createPinterestBoard(ctx, workspace, body),
)
