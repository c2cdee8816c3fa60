import { scope } from '../../../shared/http/contract.ts'
import { endpoint } from '../../../shared/http/endpoint.ts'
import {
  CreatePinterestBoardRequest,
  CreatePinterestBoardResponse,
  createPinterestBoard,
} from '../../../shared/social-accounts/pinterest-boards.ts'
import { speakErrors } from '../../../shared/social-accounts/speak-for.ts'

export const handler = endpoint(
  {
    method: 'POST',
    path: '/api/social-accounts/pinterest/boards',
    summary: 'Create a board at Pinterest',
    description: 'Creates a real board. Pinterest refuses a name that the account has already.',
    access: scope('workspace:write'),
    body: CreatePinterestBoardRequest,
    status: 200,
    data: CreatePinterestBoardResponse,
    errors: [...speakErrors],
    needs: ['table:read', 'table:write', 'open', 'platform-secrets'],
  },
  ({ ctx, workspace, body }) => createPinterestBoard(ctx, workspace, body),
)
