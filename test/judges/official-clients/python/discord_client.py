"""discord.py: logs in, sends a message to a channel, reads it, and deletes it."""

import asyncio

import discord
from standin import ORIGIN, SEED, published

discord.http.Route.BASE = f"{ORIGIN}/api/v10"


async def main() -> None:
    async with discord.Client(intents=discord.Intents.none()) as client:
        await client.login(SEED["botToken"])
        application = await client.application_info()
        channel = await client.fetch_channel(SEED["channel"])
        sent = await channel.send("Hello from the client", nonce="1")
        read = await channel.fetch_message(sent.id)
        history = [message.id async for message in channel.history(limit=5)]
        guild = await client.fetch_guild(channel.guild.id)
        channels = await guild.fetch_channels()
        published(
            content=read.content,
            channel=channel.name,
            bot=read.author.name,
            application=application.name,
            channels=len(channels),
            listed=history == [sent.id],
        )
        await sent.delete()


asyncio.run(main())
