import type { Locator } from 'playwright-core';
import type { ConsolePage } from '#test/console/console-stage.ts';

/** Uses the console as someone who sees it for the first time: by what the pages show, and with every click counted. */
export type NewUser = Pick<ConsolePage, 'page' | 'text' | 'heading' | 'button' | 'dialog'> & {
  readonly click: (target: Locator) => Promise<void>;
  /** Chooses from a list: one click opens it, another one chooses. */
  readonly choose: (list: Locator, option: string) => Promise<void>;
  /** Types into the field that was clicked, and sends the form with Enter. */
  readonly type: (text: string) => Promise<void>;
  /** A link of the navigation. */
  readonly open: (page: string) => Promise<void>;
  readonly clicks: () => number;
};

export function createNewUser({ page, text, heading, button, dialog }: ConsolePage): NewUser {
  let clicks = 0;
  const click = async (target: Locator) => {
    await target.click();
    clicks += 1;
  };
  return {
    ...{ page, text, heading, button, dialog, click },
    choose: async (list, option) => {
      await list.selectOption(option);
      clicks += 2;
    },
    type: async (content) => {
      await page.keyboard.type(content);
      await page.keyboard.press('Enter');
    },
    open: (name) => click(page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name })),
    clicks: () => clicks,
  };
}
