"""What a backend is."""

import abc


class AirBackendError(Exception):
    """A backend was used in another order than it can be."""


class AirBackend(abc.ABC):
    @abc.abstractmethod
    def compile(self, module, *arguments):
        """Compiles a program to an artifact."""

    @abc.abstractmethod
    def load(self, artifact):
        """A function that runs an artifact."""

    @abc.abstractmethod
    def unload(self):
        """Lets go of what was loaded."""
